#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q4_0 {
  using Block = gguf::BlockQ4_0;
  static constexpr int kZero = 8;
  static constexpr bool kOffset = false;
  static void unpack(const std::uint8_t* w, std::size_t n, __m512i& first, __m512i& second) {
    split_nibbles(quarters<sizeof(Block)>(w + offsetof(Block, q), n), first, second);
  }
};

}  // namespace

void matmul_q4_0_q8_32(const MatmulArgs& a) noexcept { few_rows_32<Q4_0>(a); }

}  // namespace armature::kernels::avx512_vnni
