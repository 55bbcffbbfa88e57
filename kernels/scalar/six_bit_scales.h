#pragma once

#include <cstddef>
#include <cstdint>

namespace armature::kernels::scalar {

/// The 8 scales and 8 minima of Q4_K and Q5_K, 6 bits each in 12 bytes: bytes 0 to 3 begin with scales 0 to
/// 3, bytes 4 to 7 with minima 0 to 3; the other four of each lie in the nibbles of bytes 8 to 11, with their
/// two upper bits in bits 6 and 7 of bytes 0 to 7. Gives d * scale and -dmin * minimum.
inline void six_bit_scales(const std::uint8_t (&bytes)[12], float d, float dmin, float (&scale)[8],
                           float (&offset)[8]) {
  for (std::size_t j = 0; j < 4; ++j) {
    scale[j] = d * static_cast<float>(bytes[j] & 63);
    offset[j] = -dmin * static_cast<float>(bytes[4 + j] & 63);
    scale[4 + j] = d * static_cast<float>((bytes[8 + j] & 15) | (bytes[j] >> 6) << 4);
    offset[4 + j] = -dmin * static_cast<float>(bytes[8 + j] >> 4 | (bytes[4 + j] >> 6) << 4);
  }
}

}  // namespace armature::kernels::scalar
