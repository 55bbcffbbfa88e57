#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/neon/floats.h"
#include "kernels/neon/panel.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

struct F16 {
  static constexpr std::size_t kBytes = 2;
  static float one(const std::uint8_t* bytes) { return f32_from_f16(gguf::Le16{{bytes[0], bytes[1]}}); }
  static float32x4_t four(const std::uint8_t* bytes) {
    return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(bytes)));
  }
};

}  // namespace

void matmul_f16_f32(const MatmulArgs& a) noexcept { matmul_f32<F16>(a); }
void unpack_f16(const UnpackArgs& a) noexcept { unpack_floats<F16>(a); }

}  // namespace armature::kernels::neon
