#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q5_0 : CenteredCodes<16, 31> {
  using Block = gguf::BlockQ5_0;
  static __m256i codes(const Block& b) { return _mm256_or_si256(split_nibbles(b.q), fifth_bits(b.high)); }
  static float scale(const Block& b) { return f16(b.d); }
};

}  // namespace

void matmul_q5_0_q8_32(const MatmulArgs& a) noexcept { few_rows<Blocks32, Q5_0>(a); }
void unpack_q5_0(const UnpackArgs& a) noexcept { unpack_panel<Q5_0>(a); }
void panel_product_q5_0(const PanelArgs& a) noexcept { panel_product<Q5_0>(a); }

}  // namespace armature::kernels::avx2
