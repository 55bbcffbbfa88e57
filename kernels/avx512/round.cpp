#include "kernels/avx512/simd.h"

namespace armature::kernels::avx512 {
namespace {

constexpr std::uint32_t kInfinity = 0x7f800000u;
constexpr float kSmallestRounded = 0x1p-100f;  // blocks whose largest magnitude is below have step 0

/// The bits of the largest |x| of n = 32 or 256 values, compared as integers: those of NaN lie above those of
/// infinity, which lie above the rest.
std::uint32_t largest_magnitude(const float* x, std::size_t n) {
  __m512i largest = _mm512_setzero_si512();
  for (std::size_t i = 0; i < n; i += kLanes)
    largest =
        _mm512_max_epu32(largest, _mm512_and_si512(_mm512_loadu_si512(x + i), _mm512_set1_epi32(0x7fffffff)));
  return _mm512_reduce_max_epu32(largest);
}

/// One block of n codes, with the sums of each 16; returns its step.
float round_block(const float* x, std::size_t n, std::int8_t* codes, std::int16_t* sums) {
  const std::uint32_t bits = largest_magnitude(x, n);
  float amax;
  __builtin_memcpy(&amax, &bits, sizeof(amax));
  const bool blank = bits >= kInfinity || amax < kSmallestRounded;
  const __m512 inverse = _mm512_set1_ps(127.0f / amax);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const __m512i rounded =
        _mm512_maskz_cvtps_epi32(blank ? 0 : 0xffff, _mm512_mul_ps(load_16(x + i), inverse));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(codes + i), _mm512_cvtepi32_epi8(rounded));
    sums[i / 16] = static_cast<std::int16_t>(_mm512_reduce_add_epi32(rounded));
  }
  if (blank) return bits >= kInfinity ? __builtin_nanf("") : 0.0f;
  return amax / 127.0f;
}

void round_rows(const RoundArgs& a, std::size_t block) {
  for (std::size_t row = 0; row < a.m; ++row)
    for (std::size_t i = 0; i < a.k / block; ++i)
      a.steps[row * a.steps_stride + i] =
          round_block(a.x + row * a.x_stride + i * block, block, a.codes + row * a.codes_stride + i * block,
                      a.sums + row * a.sums_stride + i * (block / 16));
}

}  // namespace

void round_q8_32(const RoundArgs& a) noexcept { round_rows(a, 32); }
void round_q8_256(const RoundArgs& a) noexcept { round_rows(a, 256); }

}  // namespace armature::kernels::avx512
