#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/nibbles.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q5_0 : Quantized<gguf::BlockQ5_0, 32, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    u.scale[0] = f16(b.d);
    const std::uint32_t high = u32(b.high);
    for (std::size_t i = 0; i < 32; ++i) {
      const int fifth = static_cast<int>(high >> i & 1u);
      u.code[i] = static_cast<std::int8_t>(split_nibble(b.q, i) + 16 * fifth - 16);
    }
  }
};

}  // namespace

void dequantize_q5_0(const DequantizeArgs& a) noexcept { dequantize<Q5_0>(a); }
void matmul_q5_0_f32(const MatmulArgs& a) noexcept { matmul_f32<Q5_0>(a); }
void matmul_q5_0_q8_32(const MatmulArgs& a) noexcept { matmul_int8<Q5_0>(a); }
void unpack_q5_0(const UnpackArgs& a) noexcept { unpack_panel<Q5_0>(a); }

}  // namespace armature::kernels::scalar
