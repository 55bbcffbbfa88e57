#pragma once

#include <cstddef>
#include <cstdint>

/// The two orders of 4-bit codes, by place i in the block.
namespace armature::kernels::scalar {

/// 16 bytes: weights 0 to 15 in the low nibbles, 16 to 31 in the high ones.
inline int split_nibble(const std::uint8_t* bytes, std::size_t i) {
  return i < 16 ? bytes[i] & 15 : bytes[i - 16] >> 4;
}

/// Runs of 32 bytes for 64 weights each: the first 32 in the low nibbles, the last 32 in the high ones.
inline int paired_nibble(const std::uint8_t* bytes, std::size_t i) {
  return bytes[i / 64 * 32 + i % 32] >> (4 * (i / 32 % 2)) & 15;
}

}  // namespace armature::kernels::scalar
