#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/two_bits.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct Q3_K : Quantized<gguf::BlockQ3_K, 256, 16> {
  static void unpack(const Block& b, Unpacked& u) {
    const float d = f16(b.d);
    for (std::size_t sub = 0; sub < 16; ++sub) {
      const int low = sub < 8 ? b.scales[sub] & 15 : b.scales[sub - 8] >> 4;
      const int high = b.scales[8 + sub % 4] >> (2 * (sub / 4)) & 3;
      u.scale[sub] = d * static_cast<float>(low + 16 * high - 32);
    }
    for (std::size_t i = 0; i < 256; ++i) {
      const int third = b.high[i % 32] >> (i / 32) & 1;
      u.code[i] = static_cast<std::int8_t>(two_bits(b.q, i) + 4 * third - 4);
    }
  }
};

}  // namespace

void dequantize_q3_k(const DequantizeArgs& a) noexcept { dequantize<Q3_K>(a); }
void matmul_q3_k_f32(const MatmulArgs& a) noexcept { matmul_f32<Q3_K>(a); }
void matmul_q3_k_q8_256(const MatmulArgs& a) noexcept { matmul_int8<Q3_K>(a); }
void unpack_q3_k(const UnpackArgs& a) noexcept { unpack_panel<Q3_K>(a); }

}  // namespace armature::kernels::scalar
