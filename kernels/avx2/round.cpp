#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {
namespace {

constexpr std::int32_t kInfinity = 0x7f800000;
constexpr float kSmallestRounded = 0x1p-100f;  // blocks whose largest magnitude is below have step 0

/// The bits of the largest |x| of n = 32 or 256 values, compared as integers: those of NaN lie above those of
/// infinity, which lie above the rest.
std::int32_t largest_magnitude(const float* x, std::size_t n) {
  const __m256i mask = _mm256_set1_epi32(0x7fffffff);
  __m256i largest = _mm256_setzero_si256();
  for (std::size_t i = 0; i < n; i += kLanes)
    largest = _mm256_max_epi32(largest, _mm256_and_si256(load_256(x + i), mask));
  __m128i m = _mm_max_epi32(_mm256_castsi256_si128(largest), _mm256_extracti128_si256(largest, 1));
  m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4e));
  m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1));
  return _mm_cvtsi128_si32(m);
}

/// 32 codes, and the sums of each 16.
void round_32(const float* x, float inverse, std::int8_t* codes, std::int16_t* sums) {
  const __m256 scale = _mm256_set1_ps(inverse);
  __m256i part[4];
  for (std::size_t i = 0; i < 4; ++i)
    part[i] = _mm256_cvtps_epi32(_mm256_mul_ps(load_8(x + i * kLanes), scale));
  // The packs work on 128-bit lanes: afterwards groups of 4 codes lie in the order 0 2 4 6 1 3 5 7.
  const __m256i packed =
      _mm256_packs_epi16(_mm256_packs_epi32(part[0], part[1]), _mm256_packs_epi32(part[2], part[3]));
  const __m256i all = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), all);
  const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), all);
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
  __m256i s = _mm256_add_epi32(fours, _mm256_shuffle_epi32(fours, 0x4e));
  s = _mm256_add_epi32(s, _mm256_shuffle_epi32(s, 0xb1));
  sums[0] = static_cast<std::int16_t>(_mm256_cvtsi256_si32(s));
  sums[1] = static_cast<std::int16_t>(_mm256_extract_epi32(s, 4));
}

/// One block of n codes; returns its step.
float round_block(const float* x, std::size_t n, std::int8_t* codes, std::int16_t* sums) {
  const std::int32_t bits = largest_magnitude(x, n);
  const float amax = read<float>(&bits);
  if (bits >= kInfinity || amax < kSmallestRounded) {
    for (std::size_t i = 0; i < n; i += 32)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + i), _mm256_setzero_si256());
    for (std::size_t i = 0; i < n / 16; ++i) sums[i] = 0;
    return bits >= kInfinity ? __builtin_nanf("") : 0.0f;
  }
  const float inverse = 127.0f / amax;
  for (std::size_t i = 0; i < n; i += 32) round_32(x + i, inverse, codes + i, sums + i / 16);
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

}  // namespace armature::kernels::avx2
