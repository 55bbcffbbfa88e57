#include "kernels/args.h"
#include "kernels/dotprod/vectors.h"

namespace armature::kernels::dotprod {

[[gnu::flatten]] PeakResult peak_int8(const PeakArgs& args) noexcept {
  constexpr int kSums = 24;  // large cores begin up to six products a cycle, each ready after three or four
  const int8x16_t a = vld1q_s8(static_cast<const std::int8_t*>(args.a));
  const int8x16_t b = vld1q_s8(static_cast<const std::int8_t*>(args.b));
  int32x4_t sums[kSums];
  repeat<kSums>([&](auto i) { sums[i] = vdupq_n_s32(0); });
  for (std::size_t round = 0; round < args.rounds; ++round)
    repeat<kSums>([&](auto i) {
      sums[i] = vdotq_s32(sums[i], a, b);
      __asm__ volatile("" : "+w"(sums[i]));  // equal sums are not merged
    });
  double total = 0;
  repeat<kSums>([&](auto i) { total += static_cast<double>(vaddlvq_s32(sums[i])); });
  return {total, static_cast<double>(args.rounds * kSums * sizeof(int8x16_t))};
}

}  // namespace armature::kernels::dotprod
