#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/vectors.h"

/// Products of form Q8_32, for weights in blocks of 32. A type says of itself:
///   Block; kHasMinimum: a block is d * code + m, else d * code;
///   static Codes codes(const Block&).
namespace armature::kernels::dotprod {
namespace {

/// d or m of kCount (1 or 4) blocks; the other lanes are 0.
template <int kCount, class Block>
inline float32x4_t halves_of(const Block* blocks, gguf::Le16 Block::*field) {
  if constexpr (kCount == 4)
    return f32_from_f16(uint16x4_t{read_u16(blocks[0].*field), read_u16(blocks[1].*field),
                                   read_u16(blocks[2].*field), read_u16(blocks[3].*field)});
  else
    return vsetq_lane_f32(f32_from_f16(blocks[0].*field), vdupq_n_f32(0), 0);
}

/// Steps of kCount blocks of activations, and their sums of codes.
template <int kCount>
inline float32x4_t steps_of(const float* steps) {
  return kCount == 4 ? vld1q_f32(steps) : vsetq_lane_f32(steps[0], vdupq_n_f32(0), 0);
}
template <int kCount>
inline float32x4_t sums_of(const std::int16_t* sums) {
  if constexpr (kCount == 4)
    return vcvtq_f32_s32(vpaddlq_s16(vld1q_s16(sums)));
  else
    return vsetq_lane_f32(static_cast<float>(sums[0] + sums[1]), vdupq_n_f32(0), 0);
}

/// Adds kCount blocks from `at` on to the sums of kRows outputs, one lane for each block.
template <class Type, int kRows, int kCount>
inline void add_blocks(const typename Type::Block* w, const Rounded<kRows>& x, std::size_t at,
                       float32x4_t (&sums)[kRows]) {
  int32x4_t dots[kRows][4];
  repeat<kRows>([&](auto r) { repeat<4>([&](auto i) { dots[r][i] = vdupq_n_s32(0); }); });
  repeat<kCount>([&](auto i) {
    const Codes codes = Type::codes(w[at + i]);
    repeat<kRows>([&](auto r) { dots[r][i] = dot_32(codes, load_codes(x.codes[r] + (at + i) * 32)); });
  });
  const float32x4_t d = halves_of<kCount>(w + at, &Type::Block::d);
  repeat<kRows>([&](auto r) {
    const float32x4_t steps = steps_of<kCount>(x.steps[r] + at);
    sums[r] = vfmaq_f32(sums[r], vcvtq_f32_s32(sums_of_lanes(dots[r])), vmulq_f32(d, steps));
    if constexpr (Type::kHasMinimum) {
      const float32x4_t m = halves_of<kCount>(w + at, &Type::Block::m);
      sums[r] = vfmaq_f32(sums[r], sums_of<kCount>(x.sums[r] + 2 * at), vmulq_f32(m, steps));
    }
  });
}

/// Outputs of kRows rows of x from `row` on with one row of weights.
template <class Type, int kRows>
void outputs_q8_32(const MatmulArgs& a, std::size_t row, std::size_t column) {
  const auto* w = reinterpret_cast<const typename Type::Block*>(a.w + column * a.w_stride);
  const Rounded<kRows> x = rounded_rows<kRows>(a.x, row);
  const std::size_t n_blocks = a.k / 32;
  float32x4_t sums[kRows];
  repeat<kRows>([&](auto r) { sums[r] = vdupq_n_f32(0); });
  std::size_t at = 0;
  for (; at + 4 <= n_blocks; at += 4) add_blocks<Type, kRows, 4>(w, x, at, sums);
  for (; at < n_blocks; ++at) add_blocks<Type, kRows, 1>(w, x, at, sums);
  repeat<kRows>([&](auto r) { a.y[(row + r) * a.y_stride + column] = vaddvq_f32(sums[r]); });
}

template <class Type>
void matmul_q8_32(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column)
    in_groups_of_four(a.m, [&]<int kRows>(std::size_t row) { outputs_q8_32<Type, kRows>(a, row, column); });
}

}  // namespace
}  // namespace armature::kernels::dotprod
