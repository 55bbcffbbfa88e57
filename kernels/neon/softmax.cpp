#include <arm_neon.h>

#include <cstddef>

#include "kernels/args.h"
#include "kernels/neon/exp.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

/// Numbers win over NaN.
float largest(const float* x, std::size_t n) {
  float32x4_t max = vdupq_n_f32(-__builtin_inff());
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) max = vmaxnmq_f32(max, vld1q_f32(x + i));
  for (; i < n; ++i) max = vmaxnmq_f32(max, vdupq_n_f32(x[i]));
  return vmaxnmvq_f32(max);
}

double sum_of(const float* x, std::size_t n) {
  float64x2_t sums = vdupq_n_f64(0);
  const auto add = [&](float32x4_t four) {
    sums = vaddq_f64(sums, vaddq_f64(vcvt_f64_f32(vget_low_f32(four)), vcvt_high_f64_f32(four)));
  };
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) add(vld1q_f32(x + i));
  if (i < n) add(load_part(x + i, n - i));
  return vaddvq_f64(sums);
}

}  // namespace

void softmax(const SoftmaxArgs& a) noexcept {
  const float max = largest(a.x, a.n);
  for_each_four(a.x, a.n, [&](auto load) { return exp(vsubq_f32(load(a.x), vdupq_n_f32(max))); });
  const auto scale = static_cast<float>(1.0 / sum_of(a.x, a.n));
  for_each_four(a.x, a.n, [&](auto load) { return vmulq_n_f32(load(a.x), scale); });
}

}  // namespace armature::kernels::neon
