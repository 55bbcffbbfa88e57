#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/rows.h"

namespace armature::kernels::scalar {

void softmax(const SoftmaxArgs& a) noexcept {
  // A NaN is not above any maximum, but makes its own exp and with it the sum NaN, and so every output.
  float max = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < a.n; ++i) max = std::max(max, a.x[i]);
  double sum = 0;
  for (std::size_t i = 0; i < a.n; ++i) {
    a.x[i] = std::exp(a.x[i] - max);
    sum += static_cast<double>(a.x[i]);
  }
  for (std::size_t i = 0; i < a.n; ++i) a.x[i] = static_cast<float>(static_cast<double>(a.x[i]) / sum);
}

}  // namespace armature::kernels::scalar
