#include <arm_neon.h>

#include <cstdint>

#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/k_blocks.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_256.h"
#include "kernels/dotprod/vectors.h"

namespace armature::kernels::dotprod {
namespace {

struct Q3_K {
  using Block = gguf::BlockQ3_K;
  static constexpr int kSub = 16, kOffset = 4;
  static constexpr bool kHasMinimum = false;
  template <int kRun>
  static Codes codes(const Block& b) {
    return plus(two_bits<kRun % 4, 0>(b.q + 32 * (kRun / 4)), upper_bit<kRun, 2>(b.high));
  }
  /// Scale s: four bits in a nibble of byte s % 8, two above them in byte 8 + s % 4, at bits 2 (s / 4) on.
  static SubScales<16> scales(const Block& b) {
    const std::uint8_t* upper_bytes = b.scales + 8;
    const uint8x8_t low = vld1_u8(b.scales);
    const uint8x16_t lower = vcombine_u8(vand_u8(low, vdup_n_u8(0x0f)), vshr_n_u8(low, 4));
    const uint8x16_t upper = vreinterpretq_u8_u32(vdupq_n_u32(read_u32(upper_bytes)));
    const int8x16_t shifts = vreinterpretq_s8_u32(uint32x4_t{0, 0xfefefefeu, 0xfcfcfcfcu, 0xfafafafau});
    const uint8x16_t top = vandq_u8(vshlq_u8(upper, shifts), vdupq_n_u8(3));
    const uint8x16_t six = vorrq_u8(lower, vshlq_n_u8(top, 4));
    return widened(vsubq_s8(vreinterpretq_s8_u8(six), vdupq_n_s8(32)));
  }
};

}  // namespace

void matmul_q3_k_q8_256(const MatmulArgs& a) noexcept { matmul_q8_256<Q3_K>(a); }
void unpack_q3_k(const UnpackArgs& a) noexcept { unpack_q8_256<Q3_K>(a); }

}  // namespace armature::kernels::dotprod
