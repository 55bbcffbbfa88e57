#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q6_K : CenteredCodes<32, 63> {
  using Block = gguf::BlockQ6_K;
  static constexpr std::size_t kSub = 16;
  static __m256i codes(const Block& b, std::size_t i) {
    const std::size_t half = i / 4, run = i % 4;
    const __m256i low = bits(load_256(b.low + 64 * half + 32 * (run % 2)), 4 * (run / 2), 15);
    const __m256i high = bits(load_256(b.high + 32 * half), 2 * run, 3);
    return _mm256_or_si256(low, _mm256_slli_epi16(high, 4));
  }
  static Scales scales(const Block& b) {
    return {_mm256_cvtepi8_epi16(load_128(b.scales)), _mm256_setzero_si256(), f16(b.d), 0.0f};
  }
};

}  // namespace

void matmul_q6_k_q8_256(const MatmulArgs& a) noexcept { few_rows<Blocks256, Q6_K>(a); }
void unpack_q6_k(const UnpackArgs& a) noexcept { unpack_panel<Q6_K>(a); }
void panel_product_q6_k(const PanelArgs& a) noexcept { panel_product<Q6_K>(a); }

}  // namespace armature::kernels::avx2
