#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q6_K : Quantized<gguf::BlockQ6_K, 256, 16> {
  static void unpack(const Block& b, Unpacked& u) {
    const float d = f16(b.d);
    for (std::size_t sub = 0; sub < 16; ++sub) u.scale[sub] = d * static_cast<float>(b.scales[sub]);
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t half = i / 128, run = i / 32 % 4, j = i % 32;
      const int low = b.low[64 * half + 32 * (run % 2) + j] >> (4 * (run / 2)) & 15;
      const int high = b.high[32 * half + j] >> (2 * run) & 3;
      u.code[i] = static_cast<std::int8_t>(low + 16 * high - 32);
    }
  }
};

}  // namespace

void dequantize_q6_k(const DequantizeArgs& a) noexcept { dequantize<Q6_K>(a); }
void matmul_q6_k_f32(const MatmulArgs& a) noexcept { matmul_f32<Q6_K>(a); }
void matmul_q6_k_q8_256(const MatmulArgs& a) noexcept { matmul_int8<Q6_K>(a); }
void unpack_q6_k(const UnpackArgs& a) noexcept { unpack_panel<Q6_K>(a); }

}  // namespace armature::kernels::scalar
