#include "kernels/sve/peak_loop.h"

namespace armature::kernels::sve_i8mm {

PeakResult peak_int8(const PeakArgs& args) noexcept {
  const svint8_t a = svld1(svptrue_b8(), static_cast<const std::int8_t*>(args.a));
  const svint8_t b = svld1(svptrue_b8(), static_cast<const std::int8_t*>(args.b));
  const auto product = [&](svint32_t sum) { return svmmla(sum, a, b); };
  const double sum = sve::repeat(args.rounds, product, svdup_s32(0));
  return {sum, static_cast<double>(args.rounds * sve::kSums * svcntb() * 2)};  // two rows of b for each of a
}

}  // namespace armature::kernels::sve_i8mm
