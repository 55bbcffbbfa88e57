#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/dotprod/vectors.h"

/// Codes of quantized weights in registers, and their products with int8 activations.
namespace armature::kernels::dotprod {
namespace {

struct Codes {
  int8x16_t low, high;  // weights 0..15 and 16..31 of a run of 32
};

/// Where kRows rows of activations begin.
template <int kRows>
struct Rounded {
  const std::int8_t* codes[kRows];
  const float* steps[kRows];
  const std::int16_t* sums[kRows];
};

template <int kRows>
inline Rounded<kRows> rounded_rows(const Operand& x, std::size_t first) {
  Rounded<kRows> rows;
  repeat<kRows>([&](auto r) {
    rows.codes[r] = x.codes + (first + r) * x.codes_stride;
    rows.steps[r] = x.steps + (first + r) * x.steps_stride;
    rows.sums[r] = x.sums + (first + r) * x.sums_stride;
  });
  return rows;
}

inline Codes load_codes(const std::int8_t* codes) { return {vld1q_s8(codes), vld1q_s8(codes + 16)}; }

inline void store_codes(std::int8_t* out, Codes codes) {
  vst1q_s8(out, codes.low);
  vst1q_s8(out + 16, codes.high);
}

inline int8x16_t low_nibbles(uint8x16_t bytes) {
  return vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(0x0f)));
}
inline int8x16_t high_nibbles(uint8x16_t bytes) { return vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4)); }

/// 32 codes in "split nibbles": byte j has code j low and code j + 16 high.
inline Codes split_nibbles(const std::uint8_t* bytes) {
  const uint8x16_t pairs = vld1q_u8(bytes);
  return {low_nibbles(pairs), high_nibbles(pairs)};
}

inline Codes minus(Codes codes, std::int8_t offset) {
  return {vsubq_s8(codes.low, vdupq_n_s8(offset)), vsubq_s8(codes.high, vdupq_n_s8(offset))};
}

inline Codes plus(Codes a, Codes b) { return {vaddq_s8(a.low, b.low), vaddq_s8(a.high, b.high)}; }

/// Codes of the IQ4 types: table T of docs/formats.md.
inline Codes table_codes(Codes nibbles) {
  constexpr std::int8_t kTable[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                      1,    13,   25,  38,  53,  69,  89,  113};
  const int8x16_t table = vld1q_s8(kTable);
  return {vqtbl1q_s8(table, vreinterpretq_u8_s8(nibbles.low)),
          vqtbl1q_s8(table, vreinterpretq_u8_s8(nibbles.high))};
}

/// Bit i of `bits` times `value`, for i = 0..31.
inline Codes spread_bits(std::uint32_t bits, std::uint8_t value) {
  const uint8x16_t bytes = vreinterpretq_u8_u32(vdupq_n_u32(bits));
  const uint8x16_t of_lane = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
  const auto sixteen = [=](std::uint8_t first_byte) {
    const uint8x16_t place = vcombine_u8(vdup_n_u8(first_byte), vdup_n_u8(first_byte + 1));
    const uint8x16_t set = vtstq_u8(vqtbl1q_u8(bytes, place), of_lane);
    return vreinterpretq_s8_u8(vandq_u8(set, vdupq_n_u8(value)));
  };
  return {sixteen(0), sixteen(2)};
}

/// Sums of products, spread over four lanes.
inline int32x4_t dot_16(int8x16_t w, int8x16_t x) { return vdotq_s32(vdupq_n_s32(0), w, x); }
inline int32x4_t dot_32(Codes w, Codes x) { return vdotq_s32(dot_16(w.low, x.low), w.high, x.high); }

}  // namespace
}  // namespace armature::kernels::dotprod
