#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct BF16 {
  static constexpr std::size_t kWeights = 1, kBytes = 2;
  static float value(const std::uint8_t* bytes) {
    return f32_from_bf16(u16(gguf::Le16{{bytes[0], bytes[1]}}));
  }
};

}  // namespace

void dequantize_bf16(const DequantizeArgs& a) noexcept { dequantize<BF16>(a); }
void matmul_bf16_f32(const MatmulArgs& a) noexcept { matmul_f32<BF16>(a); }
void unpack_bf16(const UnpackArgs& a) noexcept { unpack_panel<BF16>(a); }

}  // namespace armature::kernels::scalar
