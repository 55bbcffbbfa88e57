#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/iq4_values.h"
#include "kernels/scalar/nibbles.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct IQ4_XS : Quantized<gguf::BlockIQ4_XS, 256, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    const float d = f16(b.d);
    for (std::size_t sub = 0; sub < 8; ++sub) {
      const int low = b.scales_low[sub / 2] >> (4 * (sub % 2)) & 15;
      const int high = u16(b.scales_high) >> (2 * sub) & 3;
      u.scale[sub] = d * static_cast<float>(low + 16 * high - 32);
    }
    for (std::size_t i = 0; i < 256; ++i) u.code[i] = kIq4Values[split_nibble(b.q + 16 * (i / 32), i % 32)];
  }
};

}  // namespace

void dequantize_iq4_xs(const DequantizeArgs& a) noexcept { dequantize<IQ4_XS>(a); }
void matmul_iq4_xs_f32(const MatmulArgs& a) noexcept { matmul_f32<IQ4_XS>(a); }
void matmul_iq4_xs_q8_256(const MatmulArgs& a) noexcept { matmul_int8<IQ4_XS>(a); }
void unpack_iq4_xs(const UnpackArgs& a) noexcept { unpack_panel<IQ4_XS>(a); }

}  // namespace armature::kernels::scalar
