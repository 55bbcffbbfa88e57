#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q4_0 : CenteredCodes<8, 15> {
  using Block = gguf::BlockQ4_0;
  static __m256i codes(const Block& b) { return split_nibbles(b.q); }
  static float scale(const Block& b) { return f16(b.d); }
};

}  // namespace

void matmul_q4_0_q8_32(const MatmulArgs& a) noexcept { few_rows<Blocks32, Q4_0>(a); }
void unpack_q4_0(const UnpackArgs& a) noexcept { unpack_panel<Q4_0>(a); }
void panel_product_q4_0(const PanelArgs& a) noexcept { panel_product<Q4_0>(a); }

}  // namespace armature::kernels::avx2
