#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"

namespace armature::kernels::avx512_bf16 {

PeakResult peak_bf16(const PeakArgs& args) noexcept {
  constexpr int kSums = 16, kLanes = 16, kElements = 32;
  __m512bh a, b;
  __builtin_memcpy(&a, args.a, sizeof a);
  __builtin_memcpy(&b, args.b, sizeof b);
  __m512 sums[kSums];
#pragma GCC unroll 16
  for (__m512& sum : sums) sum = _mm512_setzero_ps();
  for (std::size_t round = 0; round < args.rounds; ++round) {
#pragma GCC unroll 16
    for (__m512& sum : sums) {
      sum = _mm512_dpbf16_ps(sum, a, b);
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
  return {total, static_cast<double>(args.rounds * kSums * kElements)};
}

}  // namespace armature::kernels::avx512_bf16
