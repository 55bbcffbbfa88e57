#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {

void store_f16(const StoreArgs& a) noexcept {
  auto* out = static_cast<std::uint16_t*>(a.out);
  std::size_t i = 0;
  for (; i + kLanes <= a.n; i += kLanes)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(load_8(a.x + i), _MM_FROUND_TO_NEAREST_INT));
  for (; i < a.n; ++i) {
    const __m128i half = _mm_cvtps_ph(_mm_set_ss(a.x[i]), _MM_FROUND_TO_NEAREST_INT);
    out[i] = static_cast<std::uint16_t>(_mm_extract_epi16(half, 0));
  }
}

}  // namespace armature::kernels::avx2
