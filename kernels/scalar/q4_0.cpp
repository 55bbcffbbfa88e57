#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/nibbles.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q4_0 : Quantized<gguf::BlockQ4_0, 32, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    u.scale[0] = f16(b.d);
    for (std::size_t i = 0; i < 32; ++i) u.code[i] = static_cast<std::int8_t>(split_nibble(b.q, i) - 8);
  }
};

}  // namespace

void dequantize_q4_0(const DequantizeArgs& a) noexcept { dequantize<Q4_0>(a); }
void matmul_q4_0_f32(const MatmulArgs& a) noexcept { matmul_f32<Q4_0>(a); }
void matmul_q4_0_q8_32(const MatmulArgs& a) noexcept { matmul_int8<Q4_0>(a); }
void unpack_q4_0(const UnpackArgs& a) noexcept { unpack_panel<Q4_0>(a); }

}  // namespace armature::kernels::scalar
