#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q8_0 : Quantized<gguf::BlockQ8_0, 32, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    u.scale[0] = f16(b.d);
    for (std::size_t i = 0; i < 32; ++i) u.code[i] = b.q[i];
  }
};

}  // namespace

void dequantize_q8_0(const DequantizeArgs& a) noexcept { dequantize<Q8_0>(a); }
void matmul_q8_0_f32(const MatmulArgs& a) noexcept { matmul_f32<Q8_0>(a); }
void matmul_q8_0_q8_32(const MatmulArgs& a) noexcept { matmul_int8<Q8_0>(a); }
void unpack_q8_0(const UnpackArgs& a) noexcept { unpack_panel<Q8_0>(a); }

}  // namespace armature::kernels::scalar
