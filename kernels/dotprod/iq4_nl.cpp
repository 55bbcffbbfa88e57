#include "gguf/blocks.h"
#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/panel.h"
#include "kernels/dotprod/q8_32.h"

namespace armature::kernels::dotprod {
namespace {

struct IQ4_NL {
  using Block = gguf::BlockIQ4_NL;
  static constexpr bool kHasMinimum = false;
  static Codes codes(const Block& b) { return table_codes(split_nibbles(b.q)); }
};

}  // namespace

void matmul_iq4_nl_q8_32(const MatmulArgs& a) noexcept { matmul_q8_32<IQ4_NL>(a); }
void unpack_iq4_nl(const UnpackArgs& a) noexcept { unpack_q8_32<IQ4_NL>(a); }

}  // namespace armature::kernels::dotprod
