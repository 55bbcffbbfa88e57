#include <arm_neon.h>

#include "kernels/args.h"
#include "kernels/neon/exp.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

float32x4_t silu_of(float32x4_t x) { return vdivq_f32(x, vaddq_f32(vdupq_n_f32(1.0f), exp(vnegq_f32(x)))); }

/// The tanh form of GELU: Hendrycks and Gimpel, "Gaussian Error Linear Units", section 2.
float32x4_t gelu_tanh_of(float32x4_t x) {
  const float32x4_t cubed = vmulq_f32(vmulq_n_f32(x, 0.044715f), vmulq_f32(x, x));
  const float32x4_t inner = vmulq_n_f32(vaddq_f32(x, cubed), 0x1.988454p-1f);  // sqrt(2 / pi)
  return vmulq_f32(vmulq_n_f32(x, 0.5f), vaddq_f32(vdupq_n_f32(1.0f), tanh(inner)));
}

template <class Function>
void apply(const ActivationArgs& a, Function function) {
  if (a.up)
    for_each_four(a.out, a.n, [&](auto load) { return vmulq_f32(function(load(a.gate)), load(a.up)); });
  else
    for_each_four(a.out, a.n, [&](auto load) { return function(load(a.gate)); });
}

}  // namespace

void silu(const ActivationArgs& a) noexcept { apply(a, silu_of); }
void gelu_tanh(const ActivationArgs& a) noexcept { apply(a, gelu_tanh_of); }

}  // namespace armature::kernels::neon
