#pragma once

#include <cstddef>
#include <cstdint>

namespace armature::kernels::scalar {

/// The 2-bit field of weight i of 256. A half of 128 weights has 32 bytes; byte j holds its weights j, j +
/// 32, j + 64 and j + 96 from the lowest bits up.
inline int two_bits(const std::uint8_t* bytes, std::size_t i) {
  return bytes[i / 128 * 32 + i % 32] >> (2 * (i / 32 % 4)) & 3;
}

}  // namespace armature::kernels::scalar
