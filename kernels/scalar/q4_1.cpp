#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/nibbles.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q4_1 : Quantized<gguf::BlockQ4_1, 32, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    u.scale[0] = f16(b.d);
    u.offset[0] = f16(b.m);
    for (std::size_t i = 0; i < 32; ++i) u.code[i] = static_cast<std::int8_t>(split_nibble(b.q, i));
  }
};

}  // namespace

void dequantize_q4_1(const DequantizeArgs& a) noexcept { dequantize<Q4_1>(a); }
void matmul_q4_1_f32(const MatmulArgs& a) noexcept { matmul_f32<Q4_1>(a); }
void matmul_q4_1_q8_32(const MatmulArgs& a) noexcept { matmul_int8<Q4_1>(a); }
void unpack_q4_1(const UnpackArgs& a) noexcept { unpack_panel<Q4_1>(a); }

}  // namespace armature::kernels::scalar
