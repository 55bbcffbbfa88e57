#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/neon/floats.h"
#include "kernels/neon/panel.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

struct BF16 {
  static constexpr std::size_t kBytes = 2;
  static float one(const std::uint8_t* bytes) {
    return vgetq_lane_f32(four_of(vdup_n_u16(read_u16({{bytes[0], bytes[1]}}))), 0);
  }
  static float32x4_t four(const std::uint8_t* bytes) { return four_of(vreinterpret_u16_u8(vld1_u8(bytes))); }
  static float32x4_t four_of(uint16x4_t upper) { return vreinterpretq_f32_u32(vshll_n_u16(upper, 16)); }
};

}  // namespace

void matmul_bf16_f32(const MatmulArgs& a) noexcept { matmul_f32<BF16>(a); }
void unpack_bf16(const UnpackArgs& a) noexcept { unpack_floats<BF16>(a); }

}  // namespace armature::kernels::neon
