#include <arm_neon.h>

#include <cstdint>

#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/k_blocks.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_256.h"

namespace armature::kernels::dotprod {
namespace {

struct Q6_K {
  using Block = gguf::BlockQ6_K;
  static constexpr int kSub = 16, kOffset = 32;
  static constexpr bool kHasMinimum = false;
  /// Within a half of 128 weights run c has the low (c < 2) or high nibbles of bytes 32 (c % 2) on, and bits
  /// 2c, 2c + 1 of the half's upper bytes.
  template <int kRun>
  static Codes codes(const Block& b) {
    constexpr int kHalf = kRun / 4, kPart = kRun % 4;
    const std::uint8_t* low = b.low + 64 * kHalf + 32 * (kPart % 2);
    const uint8x16_t first = vld1q_u8(low), second = vld1q_u8(low + 16);
    const Codes upper = two_bits<kPart, 4>(b.high + 32 * kHalf);
    if constexpr (kPart < 2)
      return plus({low_nibbles(first), low_nibbles(second)}, upper);
    else
      return plus({high_nibbles(first), high_nibbles(second)}, upper);
  }
  static SubScales<16> scales(const Block& b) { return widened(vld1q_s8(b.scales)); }
};

}  // namespace

void matmul_q6_k_q8_256(const MatmulArgs& a) noexcept { matmul_q8_256<Q6_K>(a); }
void unpack_q6_k(const UnpackArgs& a) noexcept { unpack_q8_256<Q6_K>(a); }

}  // namespace armature::kernels::dotprod
