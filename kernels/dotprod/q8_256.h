#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/vectors.h"

/// Products of form Q8_256, for weights in blocks of 256 with integer scales for each kSub (16 or 32) of
/// them. The sums of a block are exact integers. A type says of itself:
///   Block; kSub; kOffset: a weight is d * scale * (code - kOffset);
///   kHasMinimum: less dmin * minimum besides;
///   template <int kRun> static Codes codes(const Block&): those of weights 32 kRun to 32 kRun + 31;
///   static SubScales<kSub> scales(const Block&), minima(const Block&).
namespace armature::kernels::dotprod {
namespace {

inline constexpr int kRuns = 8;

/// One small integer for each sub-block.
template <int kSub>
struct SubScales {
  int16x8_t of[256 / kSub / 8];
};

template <int kSub>
struct WideScales {
  int32x4_t of[256 / kSub / 4];
};

template <int kSub>
inline WideScales<kSub> widen(const SubScales<kSub>& scales) {
  WideScales<kSub> wide;
  for (int i = 0; i < 256 / kSub / 8; ++i) {
    wide.of[2 * i] = vmovl_s16(vget_low_s16(scales.of[i]));
    wide.of[2 * i + 1] = vmovl_high_s16(scales.of[i]);
  }
  return wide;
}

/// Sum of scale * sum of codes over the sub-blocks, spread over four lanes. sums: 16 of 16 codes each.
template <int kSub>
inline int32x4_t scaled_sums(const SubScales<kSub>& scales, const std::int16_t* sums) {
  const int16x8_t first = vld1q_s16(sums), second = vld1q_s16(sums + 8);
  const auto product = [](int32x4_t sum, int16x8_t a, int16x8_t b) {
    return vmlal_high_s16(vmlal_s16(sum, vget_low_s16(a), vget_low_s16(b)), a, b);
  };
  if constexpr (kSub == 32)
    return product(vdupq_n_s32(0), scales.of[0], vpaddq_s16(first, second));
  else
    return product(product(vdupq_n_s32(0), scales.of[0], first), scales.of[1], second);
}

/// Adds scale * dot for run kRun of a block to the integer sums of kRows outputs.
template <class Type, int kRun, int kRows>
inline void add_run(const typename Type::Block& w, const WideScales<Type::kSub>& scales,
                    const std::int8_t* const (&x)[kRows], int32x4_t (&sums)[kRows]) {
  const Codes codes = Type::template codes<kRun>(w);
  repeat<kRows>([&](auto r) {
    const Codes rounded = load_codes(x[r] + kRun * 32);
    if constexpr (Type::kSub == 32) {
      sums[r] = vmlaq_laneq_s32(sums[r], dot_32(codes, rounded), scales.of[kRun / 4], kRun % 4);
    } else {
      constexpr int kFirst = 2 * kRun % 4;
      sums[r] = vmlaq_laneq_s32(sums[r], dot_16(codes.low, rounded.low), scales.of[kRun / 2], kFirst);
      sums[r] = vmlaq_laneq_s32(sums[r], dot_16(codes.high, rounded.high), scales.of[kRun / 2], kFirst + 1);
    }
  });
}

/// Adds block `at` to the sums of kRows outputs.
template <class Type, int kRows>
inline void add_block(const typename Type::Block& w, const Rounded<kRows>& x, std::size_t at,
                      float32x4_t (&totals)[kRows]) {
  const auto scales = Type::scales(w);
  const auto wide = widen<Type::kSub>(scales);
  const std::int8_t* codes[kRows];
  int32x4_t sums[kRows];
  repeat<kRows>([&](auto r) {
    codes[r] = x.codes[r] + at * 256;
    sums[r] = vdupq_n_s32(0);
  });
  repeat<kRuns>([&](auto run) { add_run<Type, run, kRows>(w, wide, codes, sums); });
  const float d = f32_from_f16(w.d);
  repeat<kRows>([&](auto r) {
    const float step = x.steps[r][at];
    const std::int16_t* code_sums = x.sums[r] + at * 16;
    if constexpr (Type::kOffset != 0)
      sums[r] = vmlsq_n_s32(sums[r], scaled_sums<Type::kSub>(scales, code_sums), Type::kOffset);
    totals[r] = vfmaq_n_f32(totals[r], vcvtq_f32_s32(sums[r]), d * step);
    if constexpr (Type::kHasMinimum) {
      const int32x4_t minima = scaled_sums<Type::kSub>(Type::minima(w), code_sums);
      totals[r] = vfmsq_n_f32(totals[r], vcvtq_f32_s32(minima), f32_from_f16(w.dmin) * step);
    }
  });
}

/// Outputs of kRows rows of x from `row` on with one row of weights.
template <class Type, int kRows>
void outputs_q8_256(const MatmulArgs& a, std::size_t row, std::size_t column) {
  const auto* w = reinterpret_cast<const typename Type::Block*>(a.w + column * a.w_stride);
  const Rounded<kRows> x = rounded_rows<kRows>(a.x, row);
  float32x4_t totals[kRows];
  repeat<kRows>([&](auto r) { totals[r] = vdupq_n_f32(0); });
  for (std::size_t at = 0; at < a.k / 256; ++at) add_block<Type, kRows>(w[at], x, at, totals);
  repeat<kRows>([&](auto r) { a.y[(row + r) * a.y_stride + column] = vaddvq_f32(totals[r]); });
}

template <class Type>
void matmul_q8_256(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column)
    in_groups_of_four(a.m, [&]<int kRows>(std::size_t row) { outputs_q8_256<Type, kRows>(a, row, column); });
}

}  // namespace
}  // namespace armature::kernels::dotprod
