#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q4_1 : OffsetCodes<15> {
  using Block = gguf::BlockQ4_1;
  static __m256i codes(const Block& b) { return split_nibbles(b.q); }
  static float scale(const Block& b) { return f16(b.d); }
  static float offset(const Block& b) { return f16(b.m); }
};

}  // namespace

void matmul_q4_1_q8_32(const MatmulArgs& a) noexcept { few_rows<Blocks32, Q4_1>(a); }
void unpack_q4_1(const UnpackArgs& a) noexcept { unpack_panel<Q4_1>(a); }
void panel_product_q4_1(const PanelArgs& a) noexcept { panel_product<Q4_1>(a); }

}  // namespace armature::kernels::avx2
