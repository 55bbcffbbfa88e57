#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct IQ4_NL {
  using Block = gguf::BlockIQ4_NL;
  static constexpr int kZero = 128;
  static constexpr bool kOffset = false;
  static void unpack(const std::uint8_t* w, std::size_t n, __m512i& first, __m512i& second) {
    split_nibbles(quarters<sizeof(Block)>(w + offsetof(Block, q), n), first, second);
    const __m512i to_unsigned = _mm512_set1_epi8(-128);
    first = _mm512_xor_si512(iq4_values(first), to_unsigned);
    second = _mm512_xor_si512(iq4_values(second), to_unsigned);
  }
};

}  // namespace

void matmul_iq4_nl_q8_32(const MatmulArgs& a) noexcept { few_rows_32<IQ4_NL>(a); }

}  // namespace armature::kernels::avx512_vnni
