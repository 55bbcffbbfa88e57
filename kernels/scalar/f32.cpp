#include <cstring>

#include "kernels/rows.h"
#include "kernels/scalar/panel.h"
#include "kernels/scalar/product.h"
#include "kernels/scalar/weights.h"

namespace armature::kernels::scalar {
namespace {

struct F32 {
  static constexpr std::size_t kWeights = 1, kBytes = 4;
  static float value(const std::uint8_t* bytes) {
    float value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }
};

}  // namespace

void dequantize_f32(const DequantizeArgs& a) noexcept { dequantize<F32>(a); }
void matmul_f32_f32(const MatmulArgs& a) noexcept { matmul_f32<F32>(a); }
void unpack_f32(const UnpackArgs& a) noexcept { unpack_panel<F32>(a); }

}  // namespace armature::kernels::scalar
