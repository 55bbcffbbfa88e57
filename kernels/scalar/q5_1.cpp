#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/nibbles.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q5_1 : Quantized<gguf::BlockQ5_1, 32, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    u.scale[0] = f16(b.d);
    u.offset[0] = f16(b.m);
    const std::uint32_t high = u32(b.high);
    for (std::size_t i = 0; i < 32; ++i) {
      const int fifth = static_cast<int>(high >> i & 1u);
      u.code[i] = static_cast<std::int8_t>(split_nibble(b.q, i) + 16 * fifth);
    }
  }
};

}  // namespace

void dequantize_q5_1(const DequantizeArgs& a) noexcept { dequantize<Q5_1>(a); }
void matmul_q5_1_f32(const MatmulArgs& a) noexcept { matmul_f32<Q5_1>(a); }
void matmul_q5_1_q8_32(const MatmulArgs& a) noexcept { matmul_int8<Q5_1>(a); }
void unpack_q5_1(const UnpackArgs& a) noexcept { unpack_panel<Q5_1>(a); }

}  // namespace armature::kernels::scalar
