#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q8_0 : SignedCodes {
  using Block = gguf::BlockQ8_0;
  static __m256i codes(const Block& b) { return load_256(b.q); }
  static float scale(const Block& b) { return f16(b.d); }
};

}  // namespace

void matmul_q8_0_q8_32(const MatmulArgs& a) noexcept { few_rows<Blocks32, Q8_0>(a); }
void unpack_q8_0(const UnpackArgs& a) noexcept { unpack_panel<Q8_0>(a); }
void panel_product_q8_0(const PanelArgs& a) noexcept { panel_product<Q8_0>(a); }

}  // namespace armature::kernels::avx2
