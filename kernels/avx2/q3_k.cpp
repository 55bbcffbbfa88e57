#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q3_K : CenteredCodes<4, 7> {
  using Block = gguf::BlockQ3_K;
  static constexpr std::size_t kSub = 16;
  static __m256i codes(const Block& b, std::size_t i) {
    const __m256i third = _mm256_slli_epi16(bits(load_256(b.high), i, 1), 2);
    return _mm256_or_si256(two_bits(b.q, i), third);
  }
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

void matmul_q3_k_q8_256(const MatmulArgs& a) noexcept { few_rows<Blocks256, Q3_K>(a); }
void unpack_q3_k(const UnpackArgs& a) noexcept { unpack_panel<Q3_K>(a); }
void panel_product_q3_k(const PanelArgs& a) noexcept { panel_product<Q3_K>(a); }

}  // namespace armature::kernels::avx2
