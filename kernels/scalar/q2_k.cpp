#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/two_bits.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q2_K : Quantized<gguf::BlockQ2_K, 256, 16> {
  static void unpack(const Block& b, Unpacked& u) {
    const float d = f16(b.d), dmin = f16(b.dmin);
    for (std::size_t sub = 0; sub < 16; ++sub) {
      u.scale[sub] = d * static_cast<float>(b.scales[sub] & 15);
      u.offset[sub] = -dmin * static_cast<float>(b.scales[sub] >> 4);
    }
    for (std::size_t i = 0; i < 256; ++i) u.code[i] = static_cast<std::int8_t>(two_bits(b.q, i));
  }
};

}  // namespace

void dequantize_q2_k(const DequantizeArgs& a) noexcept { dequantize<Q2_K>(a); }
void matmul_q2_k_f32(const MatmulArgs& a) noexcept { matmul_f32<Q2_K>(a); }
void matmul_q2_k_q8_256(const MatmulArgs& a) noexcept { matmul_int8<Q2_K>(a); }
void unpack_q2_k(const UnpackArgs& a) noexcept { unpack_panel<Q2_K>(a); }

}  // namespace armature::kernels::scalar
