#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"

namespace armature::kernels::neon {
namespace {

constexpr std::uint32_t kInfinity = 0x7f800000u;
constexpr std::size_t kSumLength = 16;

/// The bits of the largest |x|, compared as integers. n is a multiple of 16.
std::uint32_t largest_magnitude(const float* x, std::size_t n) {
  uint32x4_t largest[4] = {vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0)};
  for (std::size_t i = 0; i < n; i += kSumLength)
    for (std::size_t j = 0; j < 4; ++j)
      largest[j] = vmaxq_u32(largest[j], vreinterpretq_u32_f32(vabsq_f32(vld1q_f32(x + i + 4 * j))));
  return vmaxvq_u32(vmaxq_u32(vmaxq_u32(largest[0], largest[1]), vmaxq_u32(largest[2], largest[3])));
}

/// 16 codes. |x * inverse| is at most 127 but for rounding, so narrowing loses nothing.
int8x16_t codes_of(const float* x, float inverse) {
  const auto integers = [=](std::size_t at) {
    return vmovn_s32(vcvtnq_s32_f32(vmulq_n_f32(vld1q_f32(x + at), inverse)));
  };
  return vcombine_s8(vmovn_s16(vcombine_s16(integers(0), integers(4))),
                     vmovn_s16(vcombine_s16(integers(8), integers(12))));
}

/// One block of codes and their sums; returns its step.
template <std::size_t kBlock>
float round_block(const float* x, std::int8_t* codes, std::int16_t* sums) {
  const std::uint32_t bits = largest_magnitude(x, kBlock);
  float amax;
  __builtin_memcpy(&amax, &bits, sizeof amax);
  if (bits >= kInfinity || amax < kSmallestRounded) {
    for (std::size_t i = 0; i < kBlock; i += kSumLength) vst1q_s8(codes + i, vdupq_n_s8(0));
    for (std::size_t i = 0; i < kBlock / kSumLength; ++i) sums[i] = 0;
    return bits >= kInfinity ? __builtin_nanf("") : 0.0f;
  }
  const float inverse = 127.0f / amax;
  for (std::size_t i = 0; i < kBlock; i += kSumLength) {
    const int8x16_t sixteen = codes_of(x + i, inverse);
    vst1q_s8(codes + i, sixteen);
    sums[i / kSumLength] = vaddlvq_s8(sixteen);
  }
  return amax / 127.0f;
}

template <std::size_t kBlock>
void round_rows(const RoundArgs& a) {
  for (std::size_t row = 0; row < a.m; ++row)
    for (std::size_t i = 0; i < a.k / kBlock; ++i)
      a.steps[row * a.steps_stride + i] = round_block<kBlock>(
          a.x + row * a.x_stride + i * kBlock, a.codes + row * a.codes_stride + i * kBlock,
          a.sums + row * a.sums_stride + i * (kBlock / kSumLength));
}

}  // namespace

void round_q8_32(const RoundArgs& a) noexcept { round_rows<32>(a); }
void round_q8_256(const RoundArgs& a) noexcept { round_rows<256>(a); }

}  // namespace armature::kernels::neon
