#pragma once

#include <arm_neon.h>

/// exp and what follows from it, lane by lane. NaN gives NaN.
namespace armature::kernels::neon {
namespace {

/// Within 2 units in the last place; denormal results are rounded once more.
inline float32x4_t exp(float32x4_t x) {
  // Outside this range the result is 0 or infinity, which the two scalings below arrive at by themselves.
  x = vminq_f32(vmaxq_f32(x, vdupq_n_f32(-104.0f)), vdupq_n_f32(89.0f));
  const float32x4_t n = vrndnq_f32(vmulq_n_f32(x, 0x1.715476p+0f));  // 1 / ln 2
  float32x4_t r = vfmsq_f32(x, n, vdupq_n_f32(0x1.62e430p-1f));      // ln 2, upper part
  r = vfmsq_f32(r, n, vdupq_n_f32(-0x1.05c610p-29f));                // and the rest
  // e^r = 1 + r + r^2 p(r) for |r| <= ln(2) / 2: least maximal relative error (3e-9), found by reweighted
  // least squares on Chebyshev points.
  float32x4_t p = vdupq_n_f32(0x1.6a2352p-10f);
  p = vfmaq_f32(vdupq_n_f32(0x1.123a6cp-7f), p, r);
  p = vfmaq_f32(vdupq_n_f32(0x1.5558f4p-5f), p, r);
  p = vfmaq_f32(vdupq_n_f32(0x1.555490p-3f), p, r);
  p = vfmaq_f32(vdupq_n_f32(0x1.fffffcp-2f), p, r);
  p = vfmaq_f32(r, vmulq_f32(r, r), p);
  p = vaddq_f32(vdupq_n_f32(1.0f), p);
  // 2^n in two factors, as n reaches from -150 to 128.
  const int32x4_t exponent = vcvtq_s32_f32(n), half = vshrq_n_s32(exponent, 1);
  const auto power_of_two = [](int32x4_t e) {
    return vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(e, vdupq_n_s32(127)), 23));
  };
  return vmulq_f32(vmulq_f32(p, power_of_two(half)), power_of_two(vsubq_s32(exponent, half)));
}

inline float32x4_t tanh(float32x4_t x) {
  const float32x4_t magnitude = vabsq_f32(x), one = vdupq_n_f32(1.0f);
  const float32x4_t large =
      vsubq_f32(one, vdivq_f32(vdupq_n_f32(2.0f), vaddq_f32(exp(vaddq_f32(magnitude, magnitude)), one)));
  // Below 0.625 the subtraction would cancel: x + x^3 p(x^2), relative error 4e-9, found as for exp.
  const float32x4_t square = vmulq_f32(x, x);
  float32x4_t p = vdupq_n_f32(-0.00571704f);
  p = vfmaq_f32(vdupq_n_f32(0.02065058f), p, square);
  p = vfmaq_f32(vdupq_n_f32(-0.0537435f), p, square);
  p = vfmaq_f32(vdupq_n_f32(0.13331491f), p, square);
  p = vfmaq_f32(vdupq_n_f32(-0.33333284f), p, square);
  const float32x4_t small = vfmaq_f32(magnitude, vmulq_f32(magnitude, square), p);
  const float32x4_t result = vbslq_f32(vcltq_f32(magnitude, vdupq_n_f32(0.625f)), small, large);
  return vbslq_f32(vdupq_n_u32(0x80000000u), x, result);  // the sign of x
}

}  // namespace
}  // namespace armature::kernels::neon
