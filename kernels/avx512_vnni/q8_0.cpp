#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q8_0 {
  using Block = gguf::BlockQ8_0;
  static constexpr int kZero = 128;
  static constexpr bool kOffset = false;
  static void unpack(const std::uint8_t* w, std::size_t n, __m512i& first, __m512i& second) {
    const __m512i to_unsigned = _mm512_set1_epi8(-128);
    first = _mm512_xor_si512(quarters<sizeof(Block)>(w + offsetof(Block, q), n), to_unsigned);
    second = _mm512_xor_si512(quarters<sizeof(Block)>(w + offsetof(Block, q) + 16, n), to_unsigned);
  }
};

}  // namespace

void matmul_q8_0_q8_32(const MatmulArgs& a) noexcept { few_rows_32<Q8_0>(a); }

}  // namespace armature::kernels::avx512_vnni
