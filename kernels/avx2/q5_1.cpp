#include "kernels/avx2/few_rows.h"
#include "kernels/avx2/int8_panel.h"

namespace armature::kernels::avx2 {
namespace {

struct Q5_1 : OffsetCodes<31> {
  using Block = gguf::BlockQ5_1;
  static __m256i codes(const Block& b) { return _mm256_or_si256(split_nibbles(b.q), fifth_bits(b.high)); }
  static float scale(const Block& b) { return f16(b.d); }
  static float offset(const Block& b) { return f16(b.m); }
};

}  // namespace

void matmul_q5_1_q8_32(const MatmulArgs& a) noexcept { few_rows<Blocks32, Q5_1>(a); }
void unpack_q5_1(const UnpackArgs& a) noexcept { unpack_panel<Q5_1>(a); }
void panel_product_q5_1(const PanelArgs& a) noexcept { panel_product<Q5_1>(a); }

}  // namespace armature::kernels::avx2
