#include <arm_neon.h>

#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_256.h"
#include "kernels/dotprod/vectors.h"

namespace armature::kernels::dotprod {
namespace {

struct IQ4_XS {
  using Block = gguf::BlockIQ4_XS;
  static constexpr int kSub = 32, kOffset = 0;
  static constexpr bool kHasMinimum = false;
  template <int kRun>
  static Codes codes(const Block& b) {
    return table_codes(split_nibbles(b.q + 16 * kRun));
  }
  /// Scale s: four bits in a nibble of byte s / 2 of scales_low, two above them at bits 2s of scales_high.
  static SubScales<32> scales(const Block& b) {
    const uint8x8_t bytes = vreinterpret_u8_u32(vdup_n_u32(read_u32(b.scales_low)));
    const uint8x8_t lower = vzip1_u8(vand_u8(bytes, vdup_n_u8(0x0f)), vshr_n_u8(bytes, 4));
    const int16x8_t shifts = {0, -2, -4, -6, -8, -10, -12, -14};
    const uint16x8_t upper =
        vandq_u16(vshlq_u16(vdupq_n_u16(read_u16(b.scales_high)), shifts), vdupq_n_u16(3));
    const uint16x8_t six = vorrq_u16(vmovl_u8(lower), vshlq_n_u16(upper, 4));
    return {{vsubq_s16(vreinterpretq_s16_u16(six), vdupq_n_s16(32))}};
  }
};

}  // namespace

void matmul_iq4_xs_q8_256(const MatmulArgs& a) noexcept { matmul_q8_256<IQ4_XS>(a); }
void unpack_iq4_xs(const UnpackArgs& a) noexcept { unpack_q8_256<IQ4_XS>(a); }

}  // namespace armature::kernels::dotprod
