#include "kernels/sve/peak_loop.h"

namespace armature::kernels::sve {

PeakResult peak_f32(const PeakArgs& args) noexcept {
  const svbool_t all = svptrue_b32();
  const svfloat32_t a = svld1(all, static_cast<const float*>(args.a));
  const svfloat32_t b = svld1(all, static_cast<const float*>(args.b));
  const auto product = [&](svfloat32_t sum) { return svmla_x(all, sum, a, b); };
  return {repeat(args.rounds, product, svdup_f32(0)), static_cast<double>(args.rounds * kSums * svcntw())};
}

PeakResult peak_int8(const PeakArgs& args) noexcept {
  const svint8_t a = svld1(svptrue_b8(), static_cast<const std::int8_t*>(args.a));
  const svint8_t b = svld1(svptrue_b8(), static_cast<const std::int8_t*>(args.b));
  const auto product = [&](svint32_t sum) { return svdot(sum, a, b); };
  return {repeat(args.rounds, product, svdup_s32(0)), static_cast<double>(args.rounds * kSums * svcntb())};
}

}  // namespace armature::kernels::sve
