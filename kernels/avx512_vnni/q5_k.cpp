#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct Q5_K {
  using Block = gguf::BlockQ5_K;
  static constexpr int kZero = 0;
  static constexpr bool kSigned = false, kOffset = true;
  static __m512i codes(const Block& b, std::size_t i) {
    return add_where(paired_nibbles(b.q, i), b.high, i, 16);
  }
  static Scales scales(const Block& b) { return six_bit_scales(b); }
};

}  // namespace

void matmul_q5_k_q8_256(const MatmulArgs& a) noexcept { few_rows_256<Q5_K>(a); }

}  // namespace armature::kernels::avx512_vnni
