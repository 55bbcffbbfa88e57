#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {
namespace {

/// x / (1 + exp(-x)).
struct Silu {
  static __m256 of(__m256 x) {
    const __m256 e = exp(_mm256_xor_ps(x, _mm256_set1_ps(-0.0f)));
    return _mm256_div_ps(x, _mm256_add_ps(_mm256_set1_ps(1.0f), e));
  }
};

template <class Function>
__m256 apply(const ActivationArgs& a, std::size_t i) {
  const __m256 value = Function::of(load_8(a.gate + i));
  return a.up ? _mm256_mul_ps(value, load_8(a.up + i)) : value;
}

template <class Function>
void apply_all(const ActivationArgs& a) {
  std::size_t i = 0;
  for (; i + kLanes <= a.n; i += kLanes) _mm256_storeu_ps(a.out + i, apply<Function>(a, i));
  if (i == a.n) return;
  // The last few go through copies, so that they get the arithmetic of the others.
  float gate[kLanes] = {}, up[kLanes] = {}, out[kLanes];
  for (std::size_t j = 0; i + j < a.n; ++j) {
    gate[j] = a.gate[i + j];
    up[j] = a.up ? a.up[i + j] : 1.0f;
  }
  _mm256_storeu_ps(out, apply<Function>({out, gate, a.up ? up : nullptr, kLanes}, 0));
  for (std::size_t j = 0; i + j < a.n; ++j) a.out[i + j] = out[j];
}

}  // namespace

void silu(const ActivationArgs& a) noexcept { apply_all<Silu>(a); }

}  // namespace armature::kernels::avx2
