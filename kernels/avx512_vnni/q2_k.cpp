#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q2_K {
  using Block = gguf::BlockQ2_K;
  static constexpr int kZero = 0;
  static constexpr bool kSigned = false, kOffset = true;
  static __m512i codes(const Block& b, std::size_t i) { return two_bits(b.q, i); }
  static Scales scales(const Block& b) {
    const __m128i both = load_128(b.scales), mask = _mm_set1_epi8(15);
    return {_mm256_cvtepu8_epi16(_mm_and_si128(both, mask)),
            _mm256_cvtepu8_epi16(_mm_and_si128(_mm_srli_epi16(both, 4), mask)), f16(b.d), f16(b.dmin)};
  }
};

}  // namespace

void matmul_q2_k_q8_256(const MatmulArgs& a) noexcept { few_rows_256<Q2_K>(a); }

}  // namespace armature::kernels::avx512_vnni
