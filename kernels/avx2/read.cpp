#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {

std::uint64_t read(const ReadArgs& args) noexcept {
  constexpr std::size_t kSums = 8, kWords = sizeof(__m256i) / sizeof(std::uint64_t);
  __m256i sums[kSums];
#pragma GCC unroll 8
  for (__m256i& sum : sums) sum = _mm256_setzero_si256();
  for (std::size_t i = 0; i < args.n; i += kSums * kWords) {
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kSums; ++j)
      sums[j] = _mm256_xor_si256(sums[j], load_256(args.words + i + j * kWords));
  }
#pragma GCC unroll 8
  for (std::size_t j = 1; j < kSums; ++j) sums[0] = _mm256_xor_si256(sums[0], sums[j]);
  std::uint64_t lanes[kWords];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), sums[0]);
  return lanes[0] ^ lanes[1] ^ lanes[2] ^ lanes[3];
}

}  // namespace armature::kernels::avx2
