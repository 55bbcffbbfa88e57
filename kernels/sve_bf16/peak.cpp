#include "kernels/sve/peak_loop.h"

namespace armature::kernels::sve_bf16 {

PeakResult peak_bf16(const PeakArgs& args) noexcept {
  const svbfloat16_t a = svld1(svptrue_b16(), static_cast<const bfloat16_t*>(args.a));
  const svbfloat16_t b = svld1(svptrue_b16(), static_cast<const bfloat16_t*>(args.b));
  const auto product = [&](svfloat32_t sum) { return svbfmmla(sum, a, b); };
  const double sum = sve::repeat(args.rounds, product, svdup_f32(0));
  return {sum, static_cast<double>(args.rounds * sve::kSums * svcnth() * 2)};  // two rows of b for each of a
}

}  // namespace armature::kernels::sve_bf16
