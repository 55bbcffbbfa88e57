#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {
namespace {

/// The compiler takes v for changed: it neither merges equal sums nor moves a product out of the loop.
inline void keep(__m256& v) { __asm__ volatile("" : "+x"(v)); }
inline void keep(__m256i& v) { __asm__ volatile("" : "+x"(v)); }

}  // namespace

PeakResult peak_f32(const PeakArgs& args) noexcept {
  constexpr int kSums = 12;  // two multiply-adds a cycle, each ready after four, and some more
  const __m256 a = _mm256_loadu_ps(static_cast<const float*>(args.a));
  const __m256 b = _mm256_loadu_ps(static_cast<const float*>(args.b));
  __m256 sums[kSums];
#pragma GCC unroll 16
  for (__m256& sum : sums) sum = _mm256_setzero_ps();
  for (std::size_t round = 0; round < args.rounds; ++round) {
#pragma GCC unroll 16
    for (__m256& sum : sums) {
      sum = _mm256_fmadd_ps(a, b, sum);
      keep(sum);
    }
  }
  double total = 0;
#pragma GCC unroll 16
  for (const __m256& part : sums) {
    float lanes[kLanes];
    _mm256_storeu_ps(lanes, part);
    for (const float lane : lanes) total += static_cast<double>(lane);
  }
  return {total, static_cast<double>(args.rounds * kSums * kLanes)};
}

PeakResult peak_int8(const PeakArgs& args) noexcept {
  constexpr int kSums = 8;
  __m256i a = load_256(args.a);
  const __m256i b = load_256(args.b), ones = _mm256_set1_epi16(1);
  __m256i sums[kSums];
#pragma GCC unroll 16
  for (__m256i& sum : sums) sum = _mm256_setzero_si256();
  for (std::size_t round = 0; round < args.rounds; ++round) {
#pragma GCC unroll 16
    for (__m256i& sum : sums) {
      keep(a);
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(b, a), ones));
    }
  }
  double total = 0;
#pragma GCC unroll 16
  for (const __m256i& part : sums) {
    std::int32_t lanes[kLanes];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), part);
    for (const std::int32_t lane : lanes) total += lane;
  }
  return {total, static_cast<double>(args.rounds * kSums * sizeof(__m256i))};
}

}  // namespace armature::kernels::avx2
