#pragma once

#include <bit>
#include <cstdint>

#include "gguf/blocks.h"

/// Conversions between f32 and the 16-bit floating-point formats, bit for bit what hardware does in its
/// default mode: to nearest, ties to even, denormals kept, NaN made quiet with its sign and leading payload
/// bits.
namespace armature::kernels::scalar {

inline float f32_from_f16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  // A denormal is magnitude * 2^-24; other values have their exponent moved from bias 15 to bias 127.
  const std::uint32_t denormal = std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24f);
  std::uint32_t bits = magnitude < 0x0400u ? denormal : (magnitude << 13) + (112u << 23);
  bits = magnitude >= 0x7c00u ? bits | 0x7f800000u : bits;
  bits = magnitude > 0x7c00u ? bits | 0x00400000u : bits;
  return std::bit_cast<float>(sign | bits);
}

inline std::uint16_t f16_from_f32(float value) {
  const std::uint32_t all = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (all >> 16) & 0x8000u;
  const std::uint32_t magnitude = all & 0x7fffffffu;
  std::uint32_t half;
  if (magnitude > 0x7f800000u) {  // NaN
    half = 0x7e00u | ((magnitude >> 13) & 0x03ffu);
  } else if (magnitude >= 0x477ff000u) {  // from 65520 up: nearer to 2^16 than to 65504, or a tie
    half = 0x7c00u;
  } else if (magnitude >= 0x38800000u) {  // normal, from 2^-14 up
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    half = (magnitude - (112u << 23) + 0x0fffu + odd) >> 13;
  } else {
    // At 0.5 the unit in the last place of f32 is 2^-24, that of a denormal half: the addition rounds.
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  }
  return static_cast<std::uint16_t>(sign | half);
}

inline float f32_from_bf16(std::uint16_t bf16) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bf16) << 16);
}

inline std::uint16_t bf16_from_f32(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x0040u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline std::uint16_t u16(gguf::Le16 field) {
  return static_cast<std::uint16_t>(field.bytes[0] | field.bytes[1] << 8);
}
inline std::uint32_t u32(gguf::Le32 field) {
  return static_cast<std::uint32_t>(field.bytes[0]) | static_cast<std::uint32_t>(field.bytes[1]) << 8 |
         static_cast<std::uint32_t>(field.bytes[2]) << 16 | static_cast<std::uint32_t>(field.bytes[3]) << 24;
}
inline float f16(gguf::Le16 field) { return f32_from_f16(u16(field)); }

}  // namespace armature::kernels::scalar
