#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/neon/codes.h"
#include "kernels/neon/q8_256.h"
#include "kernels/neon/vectors.h"

/// The panel of this folder, for every weight type: decoded weights in f32, [k][kPanelRows]. On cores without
/// dot products of int8, f32 multiply-adds are about as fast as int8 products, and exact.
namespace armature::kernels::neon {
namespace {

inline constexpr std::size_t kPanelRows = 8;

/// Writes columns of four rows, 4 x 4 elements at a time: out[i * kPanelRows + row] = rows[row][i], i <
/// count.
template <std::size_t kLength>
inline void interleave_four(const float (*rows)[kLength], std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    const float32x4_t a = vld1q_f32(rows[0] + i), b = vld1q_f32(rows[1] + i);
    const float32x4_t c = vld1q_f32(rows[2] + i), d = vld1q_f32(rows[3] + i);
    const float64x2_t even_ab = vreinterpretq_f64_f32(vtrn1q_f32(a, b));
    const float64x2_t odd_ab = vreinterpretq_f64_f32(vtrn2q_f32(a, b));
    const float64x2_t even_cd = vreinterpretq_f64_f32(vtrn1q_f32(c, d));
    const float64x2_t odd_cd = vreinterpretq_f64_f32(vtrn2q_f32(c, d));
    const float64x2_t columns[kLanes] = {vtrn1q_f64(even_ab, even_cd), vtrn1q_f64(odd_ab, odd_cd),
                                         vtrn2q_f64(even_ab, even_cd), vtrn2q_f64(odd_ab, odd_cd)};
    for (std::size_t j = 0; j < kLanes && i + j < count; ++j)
      vst1q_f32(out + (i + j) * kPanelRows, vreinterpretq_f32_f64(columns[j]));
  }
}

/// Fills a panel from rows whose stretches of kLength weights (the last one may be shorter) take kBytes each.
/// decode(bytes, out, count) decodes a stretch.
template <std::size_t kLength, std::size_t kBytes, class Decode>
void unpack_panel(const UnpackArgs& a, Decode decode) {
  float rows[kPanelRows][kLength] = {};
  float* panel = reinterpret_cast<float*>(a.panel);
  for (std::size_t at = 0; at < a.k; at += kLength) {
    const std::size_t count = a.k - at < kLength ? a.k - at : kLength;
    for (std::size_t row = 0; row < a.n; ++row)
      decode(a.w + row * a.w_stride + at / kLength * kBytes, rows[row], count);
    for (std::size_t row = 0; row < kPanelRows; row += 4)
      interleave_four(rows + row, count, panel + at * kPanelRows + row);
  }
}

/// out = code * scale + offset
inline void scale_codes(int8x16_t codes, float scale, float offset, float* out) {
  const int16x8_t halves[2] = {vmovl_s8(vget_low_s8(codes)), vmovl_high_s8(codes)};
  for (std::size_t i = 0; i < 2; ++i) {
    const float32x4_t low = vcvtq_f32_s32(vmovl_s16(vget_low_s16(halves[i])));
    const float32x4_t high = vcvtq_f32_s32(vmovl_high_s16(halves[i]));
    vst1q_f32(out + 8 * i, vfmaq_n_f32(vdupq_n_f32(offset), low, scale));
    vst1q_f32(out + 8 * i + 4, vfmaq_n_f32(vdupq_n_f32(offset), high, scale));
  }
}

/// Types of q8_32.h.
template <class Type>
void unpack_q8_32(const UnpackArgs& a) {
  using Block = typename Type::Block;
  unpack_panel<32, sizeof(Block)>(a, [](const std::uint8_t* bytes, float* out, std::size_t) {
    const Block& block = *reinterpret_cast<const Block*>(bytes);
    const Codes codes = Type::codes(block);
    float m = 0;
    if constexpr (Type::kHasMinimum) m = f32_from_f16(block.m);
    scale_codes(codes.low, f32_from_f16(block.d), m, out);
    scale_codes(codes.high, f32_from_f16(block.d), m, out + 16);
  });
}

/// Weights of run kRun of a block.
template <class Type, int kRun>
inline void decode_run(const typename Type::Block& block, const float* scales, const float* offsets,
                       float* out) {
  const Codes codes = minus(Type::template codes<kRun>(block), Type::kOffset);
  constexpr int kFirst = kRun * 32 / Type::kSub, kSecond = (kRun * 32 + 16) / Type::kSub;
  scale_codes(codes.low, scales[kFirst], offsets[kFirst], out + kRun * 32);
  scale_codes(codes.high, scales[kSecond], offsets[kSecond], out + kRun * 32 + 16);
}

/// out[i] = factor * the scale of sub-block i
template <int kSub>
inline void scale_each(const SubScales<kSub>& scales, float factor, float* out) {
  const auto wide = widen<kSub>(scales);
  for (int i = 0; i < 256 / kSub / 4; ++i)
    vst1q_f32(out + 4 * i, vmulq_n_f32(vcvtq_f32_s32(wide.of[i]), factor));
}

/// Types of q8_256.h.
template <class Type>
void unpack_q8_256(const UnpackArgs& a) {
  using Block = typename Type::Block;
  unpack_panel<256, sizeof(Block)>(a, [](const std::uint8_t* bytes, float* out, std::size_t) {
    const Block& block = *reinterpret_cast<const Block*>(bytes);
    float scales[16], offsets[16] = {};
    scale_each<Type::kSub>(Type::scales(block), f32_from_f16(block.d), scales);
    if constexpr (Type::kHasMinimum)
      scale_each<Type::kSub>(Type::minima(block), -f32_from_f16(block.dmin), offsets);
    repeat<kRuns>([&](auto run) { decode_run<Type, run>(block, scales, offsets, out); });
  });
}

/// Types of floats.h.
template <class Type>
void unpack_floats(const UnpackArgs& a) {
  constexpr std::size_t kLength = 32;
  unpack_panel<kLength, kLength * Type::kBytes>(a,
                                                [](const std::uint8_t* bytes, float* out, std::size_t count) {
                                                  std::size_t i = 0;
                                                  for (; i + kLanes <= count; i += kLanes)
                                                    vst1q_f32(out + i, Type::four(bytes + i * Type::kBytes));
                                                  for (; i < count; ++i)
                                                    out[i] = Type::one(bytes + i * Type::kBytes);
                                                });
}

}  // namespace
}  // namespace armature::kernels::neon
