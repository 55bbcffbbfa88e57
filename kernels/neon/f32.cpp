#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/neon/floats.h"
#include "kernels/neon/panel.h"

namespace armature::kernels::neon {
namespace {

struct F32 {
  static constexpr std::size_t kBytes = 4;
  static float one(const std::uint8_t* bytes) {
    float value;
    __builtin_memcpy(&value, bytes, sizeof value);
    return value;
  }
  static float32x4_t four(const std::uint8_t* bytes) { return vreinterpretq_f32_u8(vld1q_u8(bytes)); }
};

}  // namespace

void matmul_f32_f32(const MatmulArgs& a) noexcept { matmul_f32<F32>(a); }
void unpack_f32(const UnpackArgs& a) noexcept { unpack_floats<F32>(a); }

}  // namespace armature::kernels::neon
