#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_32.h"
#include "kernels/dotprod/vectors.h"

namespace armature::kernels::dotprod {
namespace {

struct Q5_0 {
  using Block = gguf::BlockQ5_0;
  static constexpr bool kHasMinimum = false;
  static Codes codes(const Block& b) {
    return minus(plus(split_nibbles(b.q), spread_bits(read_u32(b.high.bytes), 16)), 16);
  }
};

}  // namespace

void matmul_q5_0_q8_32(const MatmulArgs& a) noexcept { matmul_q8_32<Q5_0>(a); }
void unpack_q5_0(const UnpackArgs& a) noexcept { unpack_q8_32<Q5_0>(a); }

}  // namespace armature::kernels::dotprod
