#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/neon/vectors.h"

/// Products of form F32 for weights that are floating-point numbers themselves. A type says of itself:
///   kBytes of one weight; static float one(const std::uint8_t*); static float32x4_t four(const
///   std::uint8_t*).
namespace armature::kernels::neon {
namespace {

/// Outputs of kRows rows of x from `row` on with one row of weights.
template <class Type, int kRows>
void outputs_f32(const MatmulArgs& a, std::size_t row, std::size_t column) {
  constexpr int kVectors = 4;  // sums for each output, so that multiply-adds need not wait
  const std::uint8_t* w = a.w + column * a.w_stride;
  const float* x[kRows];
  float32x4_t sums[kRows][kVectors];
  repeat<kRows>([&](auto r) {
    x[r] = a.x.values + (row + r) * a.x.values_stride;
    repeat<kVectors>([&](auto j) { sums[r][j] = vdupq_n_f32(0); });
  });
  std::size_t i = 0;
  for (; i + kVectors * kLanes <= a.k; i += kVectors * kLanes)
    repeat<kVectors>([&](auto j) {
      const float32x4_t weights = Type::four(w + (i + j * kLanes) * Type::kBytes);
      repeat<kRows>(
          [&](auto r) { sums[r][j] = vfmaq_f32(sums[r][j], weights, vld1q_f32(x[r] + i + j * kLanes)); });
    });
  for (; i + kLanes <= a.k; i += kLanes)
    repeat<kRows>([&](auto r) {
      sums[r][0] = vfmaq_f32(sums[r][0], Type::four(w + i * Type::kBytes), vld1q_f32(x[r] + i));
    });
  for (; i < a.k; ++i)
    repeat<kRows>([&](auto r) {
      const float32x4_t zero = vdupq_n_f32(0);  // on both sides, as the weight may be infinite
      sums[r][1] = vfmaq_f32(sums[r][1], vsetq_lane_f32(x[r][i], zero, 0),
                             vsetq_lane_f32(Type::one(w + i * Type::kBytes), zero, 0));
    });
  repeat<kRows>([&](auto r) { a.y[(row + r) * a.y_stride + column] = vaddvq_f32(sums_of_lanes(sums[r])); });
}

template <class Type>
void matmul_f32(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column)
    in_groups_of_four(a.m, [&]<int kRows>(std::size_t row) { outputs_f32<Type, kRows>(a, row, column); });
}

}  // namespace
}  // namespace armature::kernels::neon
