#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q5_0 {
  using Block = gguf::BlockQ5_0;
  static constexpr int kZero = 16;
  static constexpr bool kOffset = false;
  static void unpack(const std::uint8_t* w, std::size_t n, __m512i& first, __m512i& second) {
    split_nibbles(quarters<sizeof(Block)>(w + offsetof(Block, q), n), first, second);
    add_fifth_bits<sizeof(Block)>(w + offsetof(Block, high), n, first, second);
  }
};

}  // namespace

void matmul_q5_0_q8_32(const MatmulArgs& a) noexcept { few_rows_32<Q5_0>(a); }

}  // namespace armature::kernels::avx512_vnni
