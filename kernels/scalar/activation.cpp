#include <cmath>
#include <numbers>

#include "kernels/rows.h"

namespace armature::kernels::scalar {
namespace {

float silu_of(float x) { return x / (1.0f + std::exp(-x)); }

/// The tanh form of GELU: Hendrycks and Gimpel, "Gaussian Error Linear Units", section 2.
float gelu_tanh_of(float x) {
  constexpr float kSqrt2OverPi = std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float>;
  return 0.5f * x * (1.0f + std::tanh(kSqrt2OverPi * (x + 0.044715f * x * x * x)));
}

template <class Function>
void apply(const ActivationArgs& a, Function function) {
  for (std::size_t i = 0; i < a.n; ++i) a.out[i] = a.up ? function(a.gate[i]) * a.up[i] : function(a.gate[i]);
}

}  // namespace

void silu(const ActivationArgs& a) noexcept { apply(a, silu_of); }
void gelu_tanh(const ActivationArgs& a) noexcept { apply(a, gelu_tanh_of); }

}  // namespace armature::kernels::scalar
