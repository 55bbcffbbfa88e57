#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct IQ4_NL : SignedCodes {
  using Block = gguf::BlockIQ4_NL;
  static __m256i codes(const Block& b) { return iq4_values(split_nibbles(b.q)); }
  static float scale(const Block& b) { return f16(b.d); }
};

}  // namespace

void matmul_iq4_nl_q8_32(const MatmulArgs& a) noexcept { few_rows<Blocks32, IQ4_NL>(a); }
void unpack_iq4_nl(const UnpackArgs& a) noexcept { unpack_panel<IQ4_NL>(a); }
void panel_product_iq4_nl(const PanelArgs& a) noexcept { panel_product<IQ4_NL>(a); }

}  // namespace armature::kernels::avx2
