#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/rows.h"

namespace armature::kernels::scalar {
namespace {

constexpr std::uint32_t kInfinity = 0x7f800000u;

/// The bits of the largest |x|. As integers the bits of NaN lie above those of infinity, which lie above the
/// rest.
std::uint32_t largest_magnitude(const float* x, std::size_t n) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < n; ++i)
    largest = std::max(largest, std::bit_cast<std::uint32_t>(x[i]) & 0x7fffffffu);
  return largest;
}

/// One block of codes; returns its step.
float round_block(const float* x, std::size_t n, std::int8_t* codes) {
  const std::uint32_t bits = largest_magnitude(x, n);
  const float amax = std::bit_cast<float>(bits);
  if (bits >= kInfinity || amax < kSmallestRounded) {
    std::fill(codes, codes + n, std::int8_t{0});
    return bits >= kInfinity ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
  }
  const float inverse = 127.0f / amax;
  for (std::size_t i = 0; i < n; ++i) codes[i] = static_cast<std::int8_t>(std::nearbyint(x[i] * inverse));
  return amax / 127.0f;
}

void round_rows(const RoundArgs& a, std::size_t block) {
  for (std::size_t row = 0; row < a.m; ++row) {
    std::int8_t* codes = a.codes + row * a.codes_stride;
    for (std::size_t i = 0; i < a.k / block; ++i)
      a.steps[row * a.steps_stride + i] =
          round_block(a.x + row * a.x_stride + i * block, block, codes + i * block);
    for (std::size_t i = 0; i < a.k / 16; ++i) {
      int sum = 0;
      for (std::size_t j = 0; j < 16; ++j) sum += codes[16 * i + j];
      a.sums[row * a.sums_stride + i] = static_cast<std::int16_t>(sum);
    }
  }
}

}  // namespace

void round_q8_32(const RoundArgs& a) noexcept { round_rows(a, 32); }
void round_q8_256(const RoundArgs& a) noexcept { round_rows(a, 256); }

}  // namespace armature::kernels::scalar
