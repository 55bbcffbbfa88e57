#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "gguf/blocks.h"
#include "kernels/args.h"

/// What the files of this folder share: unaligned loads, half floats, sums over a register, exp.
///
/// Loops over arrays of registers carry an unroll pragma throughout: GCC 12 at -O3 otherwise stores the
/// arrays to memory on every turn, which halves the speed of attention and of the panel products.
namespace armature::kernels::avx2 {
namespace {

constexpr std::size_t kLanes = 8;  // f32 in a register

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

inline __m128i load_128(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
inline __m256i load_256(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

template <class T>
inline T read(const void* p) {
  T value;
  __builtin_memcpy(&value, p, sizeof(T));
  return value;
}

inline float f16(gguf::Le16 half) { return _cvtsh_ss(read<std::uint16_t>(half.bytes)); }

// The next 8 elements of a row as f32, or one.
inline __m256 load_8(const float* p) { return _mm256_loadu_ps(p); }
inline __m256 load_8(const std::uint16_t* p) { return _mm256_cvtph_ps(load_128(p)); }
inline float load_1(const float* p) { return *p; }
inline float load_1(const std::uint16_t* p) { return _cvtsh_ss(*p); }

/// Stores the lanes of v at out[at] and on, those that lie below n.
inline void store_up_to(float* out, std::size_t at, std::size_t n, __m256 v) {
  if (at + kLanes <= n) {
    _mm256_storeu_ps(out + at, v);
    return;
  }
  float lanes[kLanes];
  _mm256_storeu_ps(lanes, v);
  for (std::size_t i = 0; at + i < n; ++i) out[at + i] = lanes[i];
}

/// The sum of the 8 lanes: halves, quarters, then neighbours.
inline float sum(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

inline float max(__m256 v) {
  __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  m = _mm_max_ps(m, _mm_movehl_ps(m, m));
  return _mm_cvtss_f32(_mm_max_ss(m, _mm_movehdup_ps(m)));
}

/// 2^n for integers n from -126 to 127.
inline __m256 power_of_two(__m256i n) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}

/// e^x to about 1 ulp, with infinity, denormals and 0 where they belong; NaN stays NaN. x = n ln 2 + r with
/// |r| <= ln 2 / 2, where the rest of the Taylor series after r^7 / 7! is below 6e-9 of the value.
inline __m256 exp(__m256 x) {
  // Beyond these bounds the result is infinite or 0. The bound is the first operand so that NaN passes.
  x = _mm256_min_ps(_mm256_set1_ps(89.0f), _mm256_max_ps(_mm256_set1_ps(-105.0f), x));
  const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(0x1.715476p+0f)),
                                   _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  // ln 2 in two parts, of which the first has few enough bits for n * part to be exact.
  __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0x1.62e4p-1f), x);
  r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0x1.7f7d1cp-20f), r);
  __m256 p = _mm256_set1_ps(1.0f / 5040);
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 720));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 120));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 24));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f / 6));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.5f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
  p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0f));
  // 2^n by two factors, since n may lie beyond the exponents of normal numbers.
  const __m256i whole = _mm256_cvtps_epi32(n);
  const __m256i half = _mm256_srai_epi32(whole, 1);
  return _mm256_mul_ps(_mm256_mul_ps(p, power_of_two(half)), power_of_two(_mm256_sub_epi32(whole, half)));
}

inline float exp(float x) { return _mm256_cvtss_f32(exp(_mm256_set1_ps(x))); }

/// tanh x = sign(x) (1 - e) / (1 + e) with e = exp(-2 |x|); below 1/4, where 1 - e would cancel, the Taylor
/// series to x^11, whose rest is below 1e-8 of the value.
inline __m256 tanh(__m256 x) {
  const __m256 sign = _mm256_and_ps(x, _mm256_set1_ps(-0.0f));
  const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
  const __m256 one = _mm256_set1_ps(1.0f);
  const __m256 e = exp(_mm256_mul_ps(magnitude, _mm256_set1_ps(-2.0f)));
  const __m256 large = _mm256_div_ps(_mm256_sub_ps(one, e), _mm256_add_ps(one, e));
  const __m256 square = _mm256_mul_ps(x, x);
  __m256 p = _mm256_set1_ps(-1382.0f / 155925);
  p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(62.0f / 2835));
  p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(-17.0f / 315));
  p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(2.0f / 15));
  p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(-1.0f / 3));
  const __m256 small = _mm256_fmadd_ps(_mm256_mul_ps(p, square), magnitude, magnitude);
  const __m256 is_small = _mm256_cmp_ps(magnitude, _mm256_set1_ps(0.25f), _CMP_LT_OQ);
  return _mm256_or_ps(sign, _mm256_blendv_ps(large, small, is_small));
}

}  // namespace
}  // namespace armature::kernels::avx2
