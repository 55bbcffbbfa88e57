#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {

[[gnu::flatten]] std::uint64_t read(const ReadArgs& args) noexcept {
  constexpr int kSums = 16;
  constexpr std::size_t kWords = 2;  // in a vector
  uint64x2_t sums[kSums];
  repeat<kSums>([&](auto j) { sums[j] = vdupq_n_u64(0); });
  for (std::size_t i = 0; i < args.n; i += kSums * kWords)
    repeat<kSums>([&](auto j) { sums[j] = veorq_u64(sums[j], vld1q_u64(args.words + i + j * kWords)); });
  repeat<kSums - 1>([&](auto j) { sums[0] = veorq_u64(sums[0], sums[j + 1]); });
  return vgetq_lane_u64(sums[0], 0) ^ vgetq_lane_u64(sums[0], 1);
}

}  // namespace armature::kernels::neon
