#pragma once

#include "kernels/avx2/simd.h"

/// Weights that are single numbers: Type::load_8(bytes), Type::load_1(bytes), Type::kBytes.
namespace armature::kernels::avx2 {
namespace {

struct F32 {
  static constexpr std::size_t kBytes = 4;
  static __m256 load_8(const std::uint8_t* p) { return _mm256_castsi256_ps(load_256(p)); }
  static float load_1(const std::uint8_t* p) { return read<float>(p); }
};

struct F16 {
  static constexpr std::size_t kBytes = 2;
  static __m256 load_8(const std::uint8_t* p) { return _mm256_cvtph_ps(load_128(p)); }
  static float load_1(const std::uint8_t* p) { return _cvtsh_ss(read<std::uint16_t>(p)); }
};

/// The upper half of an f32.
struct BF16 {
  static constexpr std::size_t kBytes = 2;
  static __m256 load_8(const std::uint8_t* p) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_128(p)), 16));
  }
  static float load_1(const std::uint8_t* p) {
    const std::uint32_t bits = static_cast<std::uint32_t>(read<std::uint16_t>(p)) << 16;
    return read<float>(&bits);
  }
};

}  // namespace
}  // namespace armature::kernels::avx2
