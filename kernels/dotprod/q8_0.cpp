#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_32.h"

namespace armature::kernels::dotprod {
namespace {

struct Q8_0 {
  using Block = gguf::BlockQ8_0;
  static constexpr bool kHasMinimum = false;
  static Codes codes(const Block& b) { return load_codes(b.q); }
};

}  // namespace

void matmul_q8_0_q8_32(const MatmulArgs& a) noexcept { matmul_q8_32<Q8_0>(a); }
void unpack_q8_0(const UnpackArgs& a) noexcept { unpack_q8_32<Q8_0>(a); }

}  // namespace armature::kernels::dotprod
