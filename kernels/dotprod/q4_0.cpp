#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_32.h"

namespace armature::kernels::dotprod {
namespace {

struct Q4_0 {
  using Block = gguf::BlockQ4_0;
  static constexpr bool kHasMinimum = false;
  static Codes codes(const Block& b) { return minus(split_nibbles(b.q), 8); }
};

}  // namespace

void matmul_q4_0_q8_32(const MatmulArgs& a) noexcept { matmul_q8_32<Q4_0>(a); }
void unpack_q4_0(const UnpackArgs& a) noexcept { unpack_q8_32<Q4_0>(a); }

}  // namespace armature::kernels::dotprod
