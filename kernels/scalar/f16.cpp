#include "gguf/blocks.h"
#include "kernels/rows.h"
#include "kernels/scalar/half.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct F16 {
  static constexpr std::size_t kWeights = 1, kBytes = 2;
  static float value(const std::uint8_t* bytes) { return f16(gguf::Le16{{bytes[0], bytes[1]}}); }
};

}  // namespace

void dequantize_f16(const DequantizeArgs& a) noexcept { dequantize<F16>(a); }
void matmul_f16_f32(const MatmulArgs& a) noexcept { matmul_f32<F16>(a); }
void unpack_f16(const UnpackArgs& a) noexcept { unpack_panel<F16>(a); }

}  // namespace armature::kernels::scalar
