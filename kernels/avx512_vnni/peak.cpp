#include "kernels/avx512_vnni/simd.h"

namespace armature::kernels::avx512_vnni {

PeakResult peak_int8(const PeakArgs& args) noexcept {
  constexpr int kSums = 16;  // two products a cycle, each ready after five, and some more
  const __m512i a = load_512(args.a), b = load_512(args.b);
  __m512i sums[kSums];
#pragma GCC unroll 16
  for (__m512i& sum : sums) sum = _mm512_setzero_si512();
  for (std::size_t round = 0; round < args.rounds; ++round) {
#pragma GCC unroll 16
    for (__m512i& sum : sums) {
      sum = _mm512_dpbusd_epi32(sum, b, a);
      __asm__ volatile("" : "+v"(sum));  // equal sums are not merged
    }
  }
  double total = 0;
#pragma GCC unroll 16
  for (const __m512i& part : sums) {
    std::int32_t lanes[kLanes];
    _mm512_storeu_si512(lanes, part);
    for (const std::int32_t lane : lanes) total += lane;
  }
  return {total, static_cast<double>(args.rounds * kSums * sizeof(__m512i))};
}

}  // namespace armature::kernels::avx512_vnni
