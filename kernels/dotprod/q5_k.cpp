#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/k_blocks.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_256.h"

namespace armature::kernels::dotprod {
namespace {

struct Q5_K {
  using Block = gguf::BlockQ5_K;
  static constexpr int kSub = 32, kOffset = 0;
  static constexpr bool kHasMinimum = true;
  template <int kRun>
  static Codes codes(const Block& b) {
    return plus(paired_nibbles<kRun>(b.q), upper_bit<kRun, 4>(b.high));
  }
  static SubScales<32> scales(const Block& b) { return six_bit_scales(b.scales); }
  static SubScales<32> minima(const Block& b) { return six_bit_minima(b.scales); }
};

}  // namespace

void matmul_q5_k_q8_256(const MatmulArgs& a) noexcept { matmul_q8_256<Q5_K>(a); }
void unpack_q5_k(const UnpackArgs& a) noexcept { unpack_q8_256<Q5_K>(a); }

}  // namespace armature::kernels::dotprod
