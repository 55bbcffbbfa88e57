#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {
namespace {

// Products and sums are rounded apart, as in the scalar row.

void turn_pair(float* x0, float* x1, float c, float s) {
  const float a = *x0, b = *x1;
  *x0 = a * c - b * s;
  *x1 = a * s + b * c;
}

/// 4 pairs of neighbours; c and s hold each angle twice.
__m256 turn_neighbours(__m256 x, __m256 c, __m256 s) {
  const __m256 swapped = _mm256_permute_ps(x, 0xb1);
  return _mm256_addsub_ps(_mm256_mul_ps(x, c), _mm256_mul_ps(swapped, s));
}

/// a[0] a[0] a[1] a[1] a[2] a[2] a[3] a[3].
__m256 load_4_twice(const float* a) {
  return _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)),
                                  _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
}

}  // namespace

void rope_adjacent(const RopeArgs& a) noexcept {
  for (std::size_t head = 0; head < a.n_heads; ++head) {
    float* x = a.x + head * a.head_dim;
    std::size_t i = 0;
    for (; i + 4 <= a.n_rot / 2; i += 4)
      _mm256_storeu_ps(x + 2 * i,
                       turn_neighbours(load_8(x + 2 * i), load_4_twice(a.cos + i), load_4_twice(a.sin + i)));
    for (; i < a.n_rot / 2; ++i) turn_pair(x + 2 * i, x + 2 * i + 1, a.cos[i], a.sin[i]);
  }
}

void rope_halves(const RopeArgs& a) noexcept {
  const std::size_t half = a.n_rot / 2;
  for (std::size_t head = 0; head < a.n_heads; ++head) {
    float* x = a.x + head * a.head_dim;
    std::size_t i = 0;
    for (; i + kLanes <= half; i += kLanes) {
      const __m256 x0 = load_8(x + i), x1 = load_8(x + half + i), c = load_8(a.cos + i),
                   s = load_8(a.sin + i);
      _mm256_storeu_ps(x + i, _mm256_sub_ps(_mm256_mul_ps(x0, c), _mm256_mul_ps(x1, s)));
      _mm256_storeu_ps(x + half + i, _mm256_add_ps(_mm256_mul_ps(x0, s), _mm256_mul_ps(x1, c)));
    }
    for (; i < half; ++i) turn_pair(x + i, x + half + i, a.cos[i], a.sin[i]);
  }
}

}  // namespace armature::kernels::avx2
