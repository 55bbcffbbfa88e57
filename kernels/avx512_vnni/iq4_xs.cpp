#include "kernels/avx512_vnni/few_rows.h"

namespace armature::kernels::avx512_vnni {
namespace {

struct IQ4_XS {
  using Block = gguf::BlockIQ4_XS;
  static constexpr int kZero = 0;
  static constexpr bool kSigned = true, kOffset = false;
  static __m512i codes(const Block& b, std::size_t i) {
    // Each 16 bytes are a sub-block: its low nibbles, then its high ones.
    const __m512i twice = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 0, 1, 2, 3, 2, 3),
                                                   _mm512_castsi256_si512(load_256(b.q + 32 * i)));
    const __m512i counts = _mm512_setr_epi64(0, 0, 0x0004000400040004, 0x0004000400040004, 0, 0,
                                             0x0004000400040004, 0x0004000400040004);
    return iq4_values(_mm512_and_si512(_mm512_srlv_epi16(twice, counts), _mm512_set1_epi8(15)));
  }
  static Scales scales(const Block& b) {
    // Lane i of 32 bits gets scale i in its low word; then the word is doubled.
    const __m256i low = _mm256_srlv_epi32(_mm256_set1_epi32(read<int>(b.scales_low)),
                                          _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
    const __m256i high = _mm256_srlv_epi32(_mm256_set1_epi32(read<std::uint16_t>(b.scales_high.bytes)),
                                           _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14));
    const __m256i six = _mm256_or_si256(_mm256_and_si256(low, _mm256_set1_epi32(15)),
                                        _mm256_slli_epi32(_mm256_and_si256(high, _mm256_set1_epi32(3)), 4));
    const __m256i twice = _mm256_or_si256(six, _mm256_slli_epi32(six, 16));
    return {_mm256_sub_epi16(twice, _mm256_set1_epi16(32)), _mm256_setzero_si256(), f16(b.d), 0.0f};
  }
};

}  // namespace

void matmul_iq4_xs_q8_256(const MatmulArgs& a) noexcept { few_rows_256<IQ4_XS>(a); }

}  // namespace armature::kernels::avx512_vnni
