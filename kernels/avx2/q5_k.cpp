#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q5_K : OffsetCodes<31> {
  using Block = gguf::BlockQ5_K;
  static constexpr std::size_t kSub = 32;
  static __m256i codes(const Block& b, std::size_t i) {
    const __m256i fifth = _mm256_slli_epi16(bits(load_256(b.high), i, 1), 4);
    return _mm256_or_si256(paired_nibbles(b.q, i), fifth);
  }
  static Scales scales(const Block& b) { return six_bit_scales(b); }
};

}  // namespace

void matmul_q5_k_q8_256(const MatmulArgs& a) noexcept { few_rows<Blocks256, Q5_K>(a); }
void unpack_q5_k(const UnpackArgs& a) noexcept { unpack_panel<Q5_K>(a); }
void panel_product_q5_k(const PanelArgs& a) noexcept { panel_product<Q5_K>(a); }

}  // namespace armature::kernels::avx2
