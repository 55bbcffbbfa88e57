#include "kernels/avx512/simd.h"

namespace armature::kernels::avx512 {

std::uint64_t read(const ReadArgs& args) noexcept {
  constexpr std::size_t kSums = 8, kWords = sizeof(__m512i) / sizeof(std::uint64_t);
  __m512i sums[kSums];
#pragma GCC unroll 8
  for (__m512i& sum : sums) sum = _mm512_setzero_si512();
  for (std::size_t i = 0; i < args.n; i += kSums * kWords) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kSums; ++j)
      sums[j] = _mm512_xor_si512(sums[j], _mm512_loadu_si512(args.words + i + j * kWords));
  }
#pragma GCC unroll 8
  for (std::size_t j = 1; j < kSums; ++j) sums[0] = _mm512_xor_si512(sums[0], sums[j]);
  std::uint64_t lanes[kWords], total = 0;
  _mm512_storeu_si512(lanes, sums[0]);
  for (const std::uint64_t lane : lanes) total ^= lane;
  return total;
}

}  // namespace armature::kernels::avx512
