#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct IQ4_XS : SignedCodes {
  using Block = gguf::BlockIQ4_XS;
  static constexpr std::size_t kSub = 32;
  static __m256i codes(const Block& b, std::size_t i) { return iq4_values(split_nibbles(b.q + 16 * i)); }
  static Scales scales(const Block& b) {
    // Lane i of 32 bits gets scale i in its low word; then the word is doubled.
    const __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32(read<int>(b.scales_low)),
                                          _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    const __m256i high = _mm256_srlv_epi32(_mm256_set1_epi32(read<std::uint16_t>(b.scales_high.bytes)),
                                           _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14));
    const __m256i six = _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi32(15)),
                                        _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4));
    const __m256i twice = _mm256_or_si256(six, _mm256_slli_epi32(six, 16));
    return {_mm256_sub_epi16(twice, _mm256_set1_epi16(32)), _mm256_setzero_si256(), f16(b.d), 0.0f};
  }
};

}  // namespace

void matmul_iq4_xs_q8_256(const MatmulArgs& a) noexcept { few_rows<Blocks256, IQ4_XS>(a); }
void unpack_iq4_xs(const UnpackArgs& a) noexcept { unpack_panel<IQ4_XS>(a); }
void panel_product_iq4_xs(const PanelArgs& a) noexcept { panel_product<IQ4_XS>(a); }

}  // namespace armature::kernels::avx2
