#include "kernels/avx512/simd.h"

namespace armature::kernels::avx512 {

void silu(const ActivationArgs& a) noexcept {
  for (std::size_t i = 0; i < a.n; i += kLanes) {
    const __mmask16 mask = lowest(a.n - i);
    const __m512 x = load_16(a.gate + i, mask);
    const __m512 e = exp(_mm512_xor_ps(x, _mm512_set1_ps(-0.0f)));
    __m512 value = _mm512_div_ps(x, _mm512_add_ps(_mm512_set1_ps(1.0f), e));
    if (a.up) value = _mm512_mul_ps(value, load_16(a.up + i, mask));
    _mm512_mask_storeu_ps(a.out + i, mask, value);
  }
}

}  // namespace armature::kernels::avx512
