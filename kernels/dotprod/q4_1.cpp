#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_32.h"

namespace armature::kernels::dotprod {
namespace {

struct Q4_1 {
  using Block = gguf::BlockQ4_1;
  static constexpr bool kHasMinimum = true;
  static Codes codes(const Block& b) { return split_nibbles(b.q); }
};

}  // namespace

void matmul_q4_1_q8_32(const MatmulArgs& a) noexcept { matmul_q8_32<Q4_1>(a); }
void unpack_q4_1(const UnpackArgs& a) noexcept { unpack_q8_32<Q4_1>(a); }

}  // namespace armature::kernels::dotprod
