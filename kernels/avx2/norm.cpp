#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {
namespace {

/// Squares are summed in double: in f32 the sum of a long row would lose the bits that the scalar row keeps.
double sum_of_squares(const float* x, std::size_t n) {
  __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const __m256d a = _mm256_cvtps_pd(_mm_loadu_ps(x + i));
    const __m256d b = _mm256_cvtps_pd(_mm_loadu_ps(x + i + 4));
    low = _mm256_fmadd_pd(a, a, low);
    high = _mm256_fmadd_pd(b, b, high);
  }
  const __m256d both = _mm256_add_pd(low, high);
  const __m128d pair = _mm_add_pd(_mm256_castpd256_pd128(both), _mm256_extractf128_pd(both, 1));
  double total = _mm_cvtsd_f64(pair) + _mm_cvtsd_f64(_mm_unpackhi_pd(pair, pair));
  for (; i < n; ++i) total += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return total;
}

double square_root(double x) { return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x))); }

}  // namespace

void rms_norm(const NormArgs& a) noexcept {
  for (std::size_t row = 0; row < a.m; ++row) {
    const float* x = a.x + row * a.x_stride;
    float* out = a.out + row * a.out_stride;
    const double mean = sum_of_squares(x, a.n) / static_cast<double>(a.n);
    const auto scale = static_cast<float>(1.0 / square_root(mean + static_cast<double>(a.eps)));
    const __m256 scales = _mm256_set1_ps(scale);
    std::size_t i = 0;
    for (; i + kLanes <= a.n; i += kLanes)
      _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_mul_ps(load_8(x + i), scales), load_8(a.weight + i)));
    for (; i < a.n; ++i) out[i] = x[i] * scale * a.weight[i];
  }
}

}  // namespace armature::kernels::avx2
