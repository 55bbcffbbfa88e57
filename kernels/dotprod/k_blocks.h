#pragma once

#include <arm_neon.h>

#include <cstdint>

#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/q8_256.h"
#include "kernels/dotprod/vectors.h"

/// Fields that several types of 256 weights share.
namespace armature::kernels::dotprod {
namespace {

/// Eight values of six bits. The first four are the low six bits of the bytes of `low_six`; the last four
/// have their low four bits in the low nibbles of `nibbles` and the upper two in the top of `low_six`.
inline SubScales<32> six_bits(std::uint32_t low_six, std::uint32_t nibbles) {
  const std::uint32_t first = low_six & 0x3f3f3f3fu;
  const std::uint32_t second = (nibbles & 0x0f0f0f0fu) | (low_six >> 2 & 0x30303030u);
  const uint8x8_t bytes = vcreate_u8(first | static_cast<std::uint64_t>(second) << 32);
  return {{vreinterpretq_s16_u16(vmovl_u8(bytes))}};
}

/// The 12 bytes of Q4_K and Q5_K: four each of a, b and c.
inline SubScales<32> six_bit_scales(const std::uint8_t (&bytes)[12]) {
  return six_bits(read_u32(bytes), read_u32(bytes + 8));
}
inline SubScales<32> six_bit_minima(const std::uint8_t (&bytes)[12]) {
  return six_bits(read_u32(bytes + 4), read_u32(bytes + 8) >> 4);
}

/// Codes of run kRun in "paired nibbles": runs 2r and 2r + 1 are the low and high nibbles of 32 bytes.
template <int kRun>
inline Codes paired_nibbles(const std::uint8_t (&bytes)[128]) {
  const uint8x16_t first = vld1q_u8(bytes + kRun / 2 * 32), second = vld1q_u8(bytes + kRun / 2 * 32 + 16);
  if constexpr (kRun % 2 == 0)
    return {low_nibbles(first), low_nibbles(second)};
  else
    return {high_nibbles(first), high_nibbles(second)};
}

/// Takes the bits kFrom and up of 32 bytes, as many as `mask` has, to bit kTo and up.
template <int kFrom, int kTo>
inline Codes move_bits(const std::uint8_t* bytes, std::uint8_t mask) {
  const uint8x16_t moved_mask = vdupq_n_u8(static_cast<std::uint8_t>(mask << kTo));
  const auto move = [=](uint8x16_t sixteen) {
    if constexpr (kFrom > kTo)
      sixteen = vshrq_n_u8(sixteen, kFrom - kTo);
    else
      sixteen = vshlq_n_u8(sixteen, kTo - kFrom);
    return vreinterpretq_s8_u8(vandq_u8(sixteen, moved_mask));
  };
  return {move(vld1q_u8(bytes)), move(vld1q_u8(bytes + 16))};
}

/// Bit kRun of 32 bytes, which belongs to run kRun in Q3_K and Q5_K, at bit kTo.
template <int kRun, int kTo>
inline Codes upper_bit(const std::uint8_t (&bytes)[32]) {
  return move_bits<kRun, kTo>(bytes, 1);
}

/// Part 0..3 of 32 bytes of "two-bit fields", at bits kTo and kTo + 1.
template <int kPart, int kTo>
inline Codes two_bits(const std::uint8_t* bytes) {
  return move_bits<2 * kPart, kTo>(bytes, 3);
}

/// Sixteen scales of a byte each.
inline SubScales<16> widened(int8x16_t scales) {
  return {{vmovl_s8(vget_low_s8(scales)), vmovl_high_s8(scales)}};
}

}  // namespace
}  // namespace armature::kernels::dotprod
