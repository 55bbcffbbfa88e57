#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"

namespace armature::kernels::i8mm {

PeakResult peak_int8(const PeakArgs& args) noexcept {
  constexpr int kSums = 24;  // large cores begin up to four or six products a cycle, each ready after three
  constexpr std::size_t kProducts = 2 * 2 * 8;
  const int8x16_t a = vld1q_s8(static_cast<const std::int8_t*>(args.a));
  const int8x16_t b = vld1q_s8(static_cast<const std::int8_t*>(args.b));
  int32x4_t sums[kSums];
#pragma GCC unroll 32
  for (int32x4_t& sum : sums) sum = vdupq_n_s32(0);
  for (std::size_t round = 0; round < args.rounds; ++round) {
#pragma GCC unroll 32
    for (int32x4_t& sum : sums) {
      sum = vmmlaq_s32(sum, a, b);
      __asm__ volatile("" : "+w"(sum));  // equal sums are not merged
    }
  }
  double total = 0;
#pragma GCC unroll 32
  for (const int32x4_t& part : sums) total += static_cast<double>(vaddlvq_s32(part));
  return {total, static_cast<double>(args.rounds * kSums * kProducts)};
}

}  // namespace armature::kernels::i8mm
