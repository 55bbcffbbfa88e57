#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q5_1 {
  using Block = gguf::BlockQ5_1;
  static constexpr int kZero = 0;
  static constexpr bool kOffset = true;
  static void unpack(const std::uint8_t* w, std::size_t n, __m512i& first, __m512i& second) {
    split_nibbles(quarters<sizeof(Block)>(w + offsetof(Block, q), n), first, second);
    add_fifth_bits<sizeof(Block)>(w + offsetof(Block, high), n, first, second);
  }
};

}  // namespace

void matmul_q5_1_q8_32(const MatmulArgs& a) noexcept { few_rows_32<Q5_1>(a); }

}  // namespace armature::kernels::avx512_vnni
