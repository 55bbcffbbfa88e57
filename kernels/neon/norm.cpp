#include <arm_neon.h>

#include <cstddef>

#include "kernels/args.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

/// In f64, as x may be large enough for squares to overflow f32.
double sum_of_squares(const float* x, std::size_t n) {
  float64x2_t sums[2] = {vdupq_n_f64(0), vdupq_n_f64(0)};
  const auto add = [&](float32x4_t four) {
    const float64x2_t low = vcvt_f64_f32(vget_low_f32(four)), high = vcvt_high_f64_f32(four);
    sums[0] = vfmaq_f64(sums[0], low, low);
    sums[1] = vfmaq_f64(sums[1], high, high);
  };
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) add(vld1q_f32(x + i));
  if (i < n) add(load_part(x + i, n - i));
  return vaddvq_f64(vaddq_f64(sums[0], sums[1]));
}

}  // namespace

void rms_norm(const NormArgs& a) noexcept {
  for (std::size_t row = 0; row < a.m; ++row) {
    const float* x = a.x + row * a.x_stride;
    const double mean = sum_of_squares(x, a.n) / static_cast<double>(a.n);
    const float64x1_t root = vsqrt_f64(vdup_n_f64(mean + static_cast<double>(a.eps)));
    const auto scale = static_cast<float>(1.0 / vget_lane_f64(root, 0));
    for_each_four(a.out + row * a.out_stride, a.n,
                  [&](auto load) { return vmulq_f32(vmulq_n_f32(load(x), scale), load(a.weight)); });
  }
}

}  // namespace armature::kernels::neon
