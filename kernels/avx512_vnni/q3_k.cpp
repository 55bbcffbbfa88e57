#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q3_K {
  using Block = gguf::BlockQ3_K;
  static constexpr int kZero = 4;
  static constexpr bool kSigned = false, kOffset = false;
  static __m512i codes(const Block& b, std::size_t i) { return add_where(two_bits(b.q, i), b.high, i, 4); }
  static Scales scales(const Block& b) {
    const __m128i bytes = _mm_cvtsi64_si128(read<long long>(b.scales));
    const __m128i low = _mm_unpacklo_epi64(bytes, _mm_srli_epi16(bytes, 4));
    const auto pairs = read<std::uint32_t>(b.scales + 8);
    const __m128i shift = _mm_setr_epi32(0, 2, 4, 6);
    const __m128i high =
        _mm_and_si128(_mm_srlv_epi32(_mm_set1_epi32(static_cast<int>(pairs)), shift), _mm_set1_epi8(3));
    const __m128i six = _mm_or_si128(_mm_and_si128(low, _mm_set1_epi8(15)), _mm_slli_epi16(high, 4));
    return {_mm256_cvtepi8_epi16(_mm_sub_epi8(six, _mm_set1_epi8(32))), _mm256_setzero_si256(), f16(b.d),
            0.0f};
  }
};

}  // namespace

void matmul_q3_k_q8_256(const MatmulArgs& a) noexcept { few_rows_256<Q3_K>(a); }

}  // namespace armature::kernels::avx512_vnni
