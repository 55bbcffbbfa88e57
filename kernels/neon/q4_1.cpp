#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/neon/codes.h"
#include "kernels/neon/panel.h"
#include "kernels/neon/q8_32.h"

namespace armature::kernels::neon {
namespace {

struct Q4_1 {
  using Block = gguf::BlockQ4_1;
  static constexpr bool kHasMinimum = true, kSmallCodes = true;
  static Codes codes(const Block& b) { return split_nibbles(b.q); }
};

}  // namespace

void matmul_q4_1_q8_32(const MatmulArgs& a) noexcept { matmul_q8_32<Q4_1>(a); }
void unpack_q4_1(const UnpackArgs& a) noexcept { unpack_q8_32<Q4_1>(a); }

}  // namespace armature::kernels::neon
