#include <cmath>

#include "kernels/rows.h"

namespace armature::kernels::scalar {

void rms_norm(const NormArgs& a) noexcept {
  for (std::size_t row = 0; row < a.m; ++row) {
    const float* x = a.x + row * a.x_stride;
    float* out = a.out + row * a.out_stride;
    double squares = 0;
    for (std::size_t i = 0; i < a.n; ++i) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    const auto scale = static_cast<float>(1.0 / std::sqrt(squares / static_cast<double>(a.n) + a.eps));
    for (std::size_t i = 0; i < a.n; ++i) out[i] = x[i] * scale * a.weight[i];
  }
}

void layer_norm(const NormArgs& a) noexcept {
  for (std::size_t row = 0; row < a.m; ++row) {
    const float* x = a.x + row * a.x_stride;
    float* out = a.out + row * a.out_stride;
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < a.n; ++i) sum += static_cast<double>(x[i]);
    const double mean = sum / static_cast<double>(a.n);
    for (std::size_t i = 0; i < a.n; ++i) {
      const double difference = static_cast<double>(x[i]) - mean;
      squares += difference * difference;
    }
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(a.n) + a.eps);
    for (std::size_t i = 0; i < a.n; ++i) {
      const auto normal = static_cast<float>((static_cast<double>(x[i]) - mean) * scale);
      out[i] = normal * a.weight[i] + (a.bias ? a.bias[i] : 0.0f);
    }
  }
}

}  // namespace armature::kernels::scalar
