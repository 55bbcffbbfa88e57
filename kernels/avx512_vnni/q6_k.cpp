#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q6_K {
  using Block = gguf::BlockQ6_K;
  static constexpr int kZero = 32;
  static constexpr bool kSigned = false, kOffset = false;
  static __m512i codes(const Block& b, std::size_t i) {
    const std::size_t half = i / 2, upper = i % 2;
    const __m512i low = _mm512_and_si512(
        _mm512_srl_epi16(load_512(b.low + 64 * half), _mm_cvtsi32_si128(static_cast<int>(4 * upper))),
        _mm512_set1_epi8(15));
    const int first = static_cast<int>(4 * upper);
    const __m512i high = bits(load_256_twice(b.high + 32 * half), first, first + 2, 3);
    return _mm512_or_si512(low, _mm512_slli_epi16(high, 4));
  }
  static Scales scales(const Block& b) {
    return {_mm256_cvtepi8_epi16(load_128(b.scales)), _mm256_setzero_si256(), f16(b.d), 0.0f};
  }
};

}  // namespace

void matmul_q6_k_q8_256(const MatmulArgs& a) noexcept { few_rows_256<Q6_K>(a); }

}  // namespace armature::kernels::avx512_vnni
