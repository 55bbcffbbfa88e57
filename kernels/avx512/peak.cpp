#include "kernels/avx512/simd.h"

namespace armature::kernels::avx512 {

PeakResult peak_f32(const PeakArgs& args) noexcept {
  constexpr int kSums = 16;  // two multiply-adds a cycle, each ready after four, and some more
  const __m512 a = _mm512_loadu_ps(args.a), b = _mm512_loadu_ps(args.b);
  __m512 sums[kSums];
#pragma GCC unroll 16
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (std::size_t round = 0; round < args.rounds; ++round) {
#pragma GCC unroll 16
    for (__m512& sum : sums) {
      sum = _mm512_fmadd_ps(a, b, sum);
      __asm__ volatile("" : "+v"(sum));  // equal sums are not merged
    }
  }
  double total = 0;
#pragma GCC unroll 16
  for (const __m512& part : sums) {
    float lanes[kLanes];
    _mm512_storeu_ps(lanes, part);
    for (const float lane : lanes) total += static_cast<double>(lane);
  }
  return {total, static_cast<double>(args.rounds * kSums * kLanes)};
}

}  // namespace armature::kernels::avx512
