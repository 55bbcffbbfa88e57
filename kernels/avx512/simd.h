#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "gguf/blocks.h"
#include "kernels/args.h"

/// What the files of this folder share: masks for the end of a row, 16 elements of any type as f32, exp.
///
/// Loops over arrays of registers carry an unroll pragma throughout: GCC 12 at -O3 otherwise stores the
/// arrays to memory on every turn, which halves the speed of attention and of the panel products.
namespace armature::kernels::avx512 {
namespace {

constexpr std::size_t kLanes = 16;  // f32 in a register

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

/// A mask of the lowest n of 16 bits; n may be more.
inline __mmask16 lowest(std::size_t n) { return static_cast<__mmask16>(n < 16 ? (1u << n) - 1 : 0xffffu); }

// 16 elements from p as f32; with a mask, those that it has not are 0 and are not read.
inline __m512 load_16(const float* p) { return _mm512_loadu_ps(p); }
inline __m512 load_16(const float* p, __mmask16 mask) { return _mm512_maskz_loadu_ps(mask, p); }
inline __m512 load_16(const std::uint16_t* p) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline __m512 load_16(const std::uint16_t* p, __mmask16 mask) {
  return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, p));
}

/// e^x to about 1 ulp, with infinity, denormals and 0 where they belong; NaN stays NaN. x = n ln 2 + r with
/// |r| <= ln 2 / 2, where the rest of the Taylor series after r^7 / 7! is below 6e-9 of the value.
inline __m512 exp(__m512 x) {
  // Beyond these bounds the result is infinite or 0. The bound is the first operand so that NaN passes.
  x = _mm512_min_ps(_mm512_set1_ps(89.0f), _mm512_max_ps(_mm512_set1_ps(-105.0f), x));
  const __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(0x1.715476p+0f)),
                                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  // ln 2 in two parts, of which the first has few enough bits for n * part to be exact.
  __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0x1.62e4p-1f), x);
  r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0x1.7f7d1cp-20f), r);
  __m512 p = _mm512_set1_ps(1.0f / 5040);
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f / 720));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f / 120));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f / 24));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f / 6));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.5f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f));
  p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0f));
  return _mm512_scalef_ps(p, n);
}

inline float exp(float x) { return _mm512_cvtss_f32(exp(_mm512_set1_ps(x))); }

/// tanh x = sign(x) (1 - e) / (1 + e) with e = exp(-2 |x|); below 1/4, where 1 - e would cancel, the Taylor
/// series to x^11, whose rest is below 1e-8 of the value.
inline __m512 tanh(__m512 x) {
  const __m512 sign = _mm512_and_ps(x, _mm512_set1_ps(-0.0f));
  const __m512 magnitude = _mm512_andnot_ps(_mm512_set1_ps(-0.0f), x);
  const __m512 one = _mm512_set1_ps(1.0f);
  const __m512 e = exp(_mm512_mul_ps(magnitude, _mm512_set1_ps(-2.0f)));
  const __m512 large = _mm512_div_ps(_mm512_sub_ps(one, e), _mm512_add_ps(one, e));
  const __m512 square = _mm512_mul_ps(x, x);
  __m512 p = _mm512_set1_ps(-1382.0f / 155925);
  p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(62.0f / 2835));
  p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-17.0f / 315));
  p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(2.0f / 15));
  p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(-1.0f / 3));
  const __m512 small = _mm512_fmadd_ps(_mm512_mul_ps(p, square), magnitude, magnitude);
  const __mmask16 is_small = _mm512_cmp_ps_mask(magnitude, _mm512_set1_ps(0.25f), _CMP_LT_OQ);
  return _mm512_or_ps(sign, _mm512_mask_blend_ps(is_small, large, small));
}

}  // namespace
}  // namespace armature::kernels::avx512
