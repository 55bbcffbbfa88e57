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

struct IQ4_NL : Quantized<gguf::BlockIQ4_NL, 32, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    u.scale[0] = f16(b.d);
    for (std::size_t i = 0; i < 32; ++i) u.code[i] = kIq4Values[split_nibble(b.q, i)];
  }
};

}  // namespace

void dequantize_iq4_nl(const DequantizeArgs& a) noexcept { dequantize<IQ4_NL>(a); }
void matmul_iq4_nl_f32(const MatmulArgs& a) noexcept { matmul_f32<IQ4_NL>(a); }
void matmul_iq4_nl_q8_32(const MatmulArgs& a) noexcept { matmul_int8<IQ4_NL>(a); }
void unpack_iq4_nl(const UnpackArgs& a) noexcept { unpack_panel<IQ4_NL>(a); }

}  // namespace armature::kernels::scalar
