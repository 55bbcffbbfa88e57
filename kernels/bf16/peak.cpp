#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"

namespace armature::kernels::bf16 {

PeakResult peak_bf16(const PeakArgs& args) noexcept {
  constexpr int kSums = 24;  // large cores begin up to four products a cycle, each ready after five
  constexpr std::size_t kProducts = 2 * 2 * 4;
  const bfloat16x8_t a = vld1q_bf16(static_cast<const bfloat16_t*>(args.a));
  const bfloat16x8_t b = vld1q_bf16(static_cast<const bfloat16_t*>(args.b));
  float32x4_t sums[kSums];
#pragma GCC unroll 32
  for (float32x4_t& sum : sums) sum = vdupq_n_f32(0);
  for (std::size_t round = 0; round < args.rounds; ++round) {
#pragma GCC unroll 32
    for (float32x4_t& sum : sums) {
      sum = vbfmmlaq_f32(sum, a, b);
      __asm__ volatile("" : "+w"(sum));  // equal sums are not merged
    }
  }
  double total = 0;
#pragma GCC unroll 32
  for (const float32x4_t& part : sums)
    total += vaddvq_f64(vcvt_f64_f32(vget_low_f32(part))) + vaddvq_f64(vcvt_high_f64_f32(part));
  return {total, static_cast<double>(args.rounds * kSums * kProducts)};
}

}  // namespace armature::kernels::bf16
