#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {
namespace {

/// A NaN is not above any maximum: maxps gives its second operand when one is NaN.
float largest(const float* x, std::size_t n) {
  __m256 most = _mm256_set1_ps(-__builtin_inff());
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) most = _mm256_max_ps(load_8(x + i), most);
  float result = max(most);
  for (; i < n; ++i) result = x[i] > result ? x[i] : result;
  return result;
}

}  // namespace

void softmax(const SoftmaxArgs& a) noexcept {
  const __m256 most = _mm256_set1_ps(largest(a.x, a.n));
  double total = 0;
  std::size_t i = 0;
  for (; i + kLanes <= a.n; i += kLanes) {
    const __m256 e = exp(_mm256_sub_ps(load_8(a.x + i), most));
    _mm256_storeu_ps(a.x + i, e);
    total += static_cast<double>(sum(e));
  }
  for (; i < a.n; ++i) {
    a.x[i] = exp(a.x[i] - _mm256_cvtss_f32(most));
    total += static_cast<double>(a.x[i]);
  }
  const auto inverse = static_cast<float>(1.0 / total);
  for (i = 0; i + kLanes <= a.n; i += kLanes)
    _mm256_storeu_ps(a.x + i, _mm256_mul_ps(load_8(a.x + i), _mm256_set1_ps(inverse)));
  for (; i < a.n; ++i) a.x[i] *= inverse;
}

}  // namespace armature::kernels::avx2
