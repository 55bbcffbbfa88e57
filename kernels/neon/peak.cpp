#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

// Large cores begin up to six multiply-adds a cycle, each ready after four.
constexpr int kSums = 24;

}  // namespace

[[gnu::flatten]] PeakResult peak_f32(const PeakArgs& args) noexcept {
  const float32x4_t a = vld1q_f32(static_cast<const float*>(args.a));
  const float32x4_t b = vld1q_f32(static_cast<const float*>(args.b));
  float32x4_t sums[kSums];
  repeat<kSums>([&](auto i) { sums[i] = vdupq_n_f32(0); });
  for (std::size_t round = 0; round < args.rounds; ++round)
    repeat<kSums>([&](auto i) {
      sums[i] = vfmaq_f32(sums[i], a, b);
      __asm__ volatile("" : "+w"(sums[i]));  // equal sums are not merged
    });
  double total = 0;
  repeat<kSums>([&](auto i) {
    total += vaddvq_f64(vcvt_f64_f32(vget_low_f32(sums[i]))) + vaddvq_f64(vcvt_high_f64_f32(sums[i]));
  });
  return {total, static_cast<double>(args.rounds * kSums * kLanes)};
}

[[gnu::flatten]] PeakResult peak_int8(const PeakArgs& args) noexcept {
  int8x16_t a = vld1q_s8(static_cast<const std::int8_t*>(args.a));
  const int8x16_t b = vld1q_s8(static_cast<const std::int8_t*>(args.b));
  int32x4_t sums[kSums];
  repeat<kSums>([&](auto i) { sums[i] = vdupq_n_s32(0); });
  for (std::size_t round = 0; round < args.rounds; ++round)
    repeat<kSums>([&](auto i) {
      __asm__ volatile("" : "+w"(a));  // the products are not moved out of the loop
      const int16x8_t products = vmlal_high_s8(vmull_s8(vget_low_s8(a), vget_low_s8(b)), a, b);
      sums[i] = vpadalq_s16(sums[i], products);
    });
  double total = 0;
  repeat<kSums>([&](auto i) { total += static_cast<double>(vaddlvq_s32(sums[i])); });
  return {total, static_cast<double>(args.rounds * kSums * sizeof(int8x16_t))};
}

}  // namespace armature::kernels::neon
