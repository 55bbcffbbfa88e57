#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/nibbles.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/six_bit_scales.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q5_K : Quantized<gguf::BlockQ5_K, 256, 32> {
  static void unpack(const Block& b, Unpacked& u) {
    six_bit_scales(b.scales, f16(b.d), f16(b.dmin), u.scale, u.offset);
    for (std::size_t i = 0; i < 256; ++i) {
      const int fifth = b.high[i % 32] >> (i / 32) & 1;
      u.code[i] = static_cast<std::int8_t>(paired_nibble(b.q, i) + 16 * fifth);
    }
  }
};

}  // namespace

void dequantize_q5_k(const DequantizeArgs& a) noexcept { dequantize<Q5_K>(a); }
void matmul_q5_k_f32(const MatmulArgs& a) noexcept { matmul_f32<Q5_K>(a); }
void matmul_q5_k_q8_256(const MatmulArgs& a) noexcept { matmul_int8<Q5_K>(a); }
void unpack_q5_k(const UnpackArgs& a) noexcept { unpack_panel<Q5_K>(a); }

}  // namespace armature::kernels::scalar
