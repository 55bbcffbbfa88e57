#include <arm_neon.h>

#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/neon/codes.h"
#include "kernels/neon/k_blocks.h"
#include "kernels/neon/panel.h"
#include "kernels/neon/q8_256.h"

namespace armature::kernels::neon {
namespace {

struct Q2_K {
  using Block = gguf::BlockQ2_K;
  static constexpr int kSub = 16, kOffset = 0;
  static constexpr bool kHasMinimum = true;
  template <int kRun>
  static Codes codes(const Block& b) {
    return two_bits<kRun % 4, 0>(b.q + 32 * (kRun / 4));
  }
  static SubScales<16> scales(const Block& b) { return widened(low_nibbles(vld1q_u8(b.scales))); }
  static SubScales<16> minima(const Block& b) { return widened(high_nibbles(vld1q_u8(b.scales))); }
};

}  // namespace

void matmul_q2_k_q8_256(const MatmulArgs& a) noexcept { matmul_q8_256<Q2_K>(a); }
void unpack_q2_k(const UnpackArgs& a) noexcept { unpack_q8_256<Q2_K>(a); }

}  // namespace armature::kernels::neon
