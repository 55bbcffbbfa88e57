#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q4_K : OffsetCodes<15> {
  using Block = gguf::BlockQ4_K;
  static constexpr std::size_t kSub = 32;
  static __m256i codes(const Block& b, std::size_t i) { return paired_nibbles(b.q, i); }
  static Scales scales(const Block& b) { return six_bit_scales(b); }
};

}  // namespace

void matmul_q4_k_q8_256(const MatmulArgs& a) noexcept { few_rows<Blocks256, Q4_K>(a); }
void unpack_q4_k(const UnpackArgs& a) noexcept { unpack_panel<Q4_K>(a); }
void panel_product_q4_k(const PanelArgs& a) noexcept { panel_product<Q4_K>(a); }

}  // namespace armature::kernels::avx2
