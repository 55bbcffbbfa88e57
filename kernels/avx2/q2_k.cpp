#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q2_K : OffsetCodes<3> {
  using Block = gguf::BlockQ2_K;
  static constexpr std::size_t kSub = 16;
  static __m256i codes(const Block& b, std::size_t i) { return two_bits(b.q, i); }
  static Scales scales(const Block& b) {
    const __m128i both = load_128(b.scales), mask = _mm_set1_epi8(15);
    return {_mm256_cvtepu8_epi16(_mm_and_si128(both, mask)),
            _mm256_cvtepu8_epi16(_mm_and_si128(_mm_srli_epi16(both, 4), mask)), f16(b.d), f16(b.dmin)};
  }
};

}  // namespace

void matmul_q2_k_q8_256(const MatmulArgs& a) noexcept { few_rows<Blocks256, Q2_K>(a); }
void unpack_q2_k(const UnpackArgs& a) noexcept { unpack_panel<Q2_K>(a); }
void panel_product_q2_k(const PanelArgs& a) noexcept { panel_product<Q2_K>(a); }

}  // namespace armature::kernels::avx2
