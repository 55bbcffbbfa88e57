#pragma once

#include "kernels/avx512_vnni/simd.h"

/// Products of a few rows of activations in form Q8_32 with weights in blocks of 32 that are read where they
/// lie. A step takes 4 blocks: 128 bits of a register to each, with one half of its codes in `first` and the
/// other in `second`. kRows rows of activations share the unpacking of weights; an element's arithmetic
/// does not depend on kRows.
///
/// Type is a struct of Block, kZero, kOffset and unpack(w, n, first, second), which gives the codes of n
/// blocks at w as bytes from 0 to 255: weight = d * (code - kZero), or with kOffset plus the f16 that follows
/// d.
namespace armature::kernels::avx512_vnni {
namespace {

constexpr std::size_t kStepBlocks = 4;

/// The field at `p` of each of n (1 to 4) blocks, 16 bytes long; block 0 stands for those beyond n, whose
/// scale is 0.
template <std::size_t stride>
inline __m512i quarters(const std::uint8_t* p, std::size_t n) {
  __m512i v = _mm512_castsi128_si512(load_128(p));
  v = _mm512_mask_broadcast_i32x4(v, 0x00f0, load_128(p + (n > 1 ? stride : 0)));
  v = _mm512_mask_broadcast_i32x4(v, 0x0f00, load_128(p + (n > 2 ? 2 * stride : 0)));
  return _mm512_mask_broadcast_i32x4(v, 0xf000, load_128(p + (n > 3 ? 3 * stride : 0)));
}

inline void split_nibbles(__m512i bytes, __m512i& first, __m512i& second) {
  const __m512i mask = _mm512_set1_epi8(15);
  first = _mm512_and_si512(bytes, mask);
  second = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), mask);
}

/// Adds 16 to each code whose bit is set in the field of 32 bits at `p` of its block.
template <std::size_t stride>
inline void add_fifth_bits(const std::uint8_t* p, std::size_t n, __m512i& first, __m512i& second) {
  std::uint64_t first_bits = 0, second_bits = 0;
  for (std::size_t i = 0; i < kStepBlocks; ++i) {
    const std::uint64_t all = read<std::uint32_t>(p + (i < n ? i * stride : 0));
    first_bits |= (all & 0xffff) << (16 * i);
    second_bits |= (all >> 16) << (16 * i);
  }
  const __m512i fifth = _mm512_set1_epi8(16);
  first = _mm512_mask_add_epi8(first, first_bits, first, fifth);
  second = _mm512_mask_add_epi8(second, second_bits, second, fifth);
}

/// The f16 field at `p` of each of n blocks as f32, in all 4 lanes of its block; 0 beyond n.
template <std::size_t stride>
inline __m512 halves(const std::uint8_t* p, std::size_t n) {
  const auto word = [&](std::size_t i) { return read<short>(p + (i < n ? i * stride : 0)); };
  __m256i v = _mm256_set1_epi16(word(0));
  v = _mm256_mask_set1_epi16(v, 0x00f0, word(1));
  v = _mm256_mask_set1_epi16(v, 0x0f00, word(2));
  v = _mm256_mask_set1_epi16(v, 0xf000, word(3));
  return _mm512_maskz_cvtph_ps(lowest(4 * n), v);
}

/// What a step needs of one row of activations.
struct Activations {
  __m512i first, second;  // codes
  __m512i zero;           // -kZero * (sum of codes), each lane for its own codes
  __m512 step;
  __m512 sum;  // step * (sum of codes), as parts
};

/// Of each 16 bytes, 2 words: those at the place of the block's own sums among 8.
inline __m512i own_pair(short value) { return _mm512_maskz_set1_epi16(0xc0300c03u, value); }

template <class Type>
inline Activations load_step(const std::int8_t* codes, const float* steps, const std::int16_t* sums,
                             std::size_t n) {
  const __m512i a = _mm512_maskz_loadu_epi8(lowest_64(32 * n), codes);
  const __m512i b =
      n > 2 ? _mm512_maskz_loadu_epi8(lowest_64(32 * n - 64), codes + 64) : _mm512_setzero_si512();
  const __m128i pairs = _mm_maskz_loadu_epi16(static_cast<__mmask8>(lowest(2 * n)), sums);
  const __m128 four = _mm_maskz_loadu_ps(static_cast<__mmask8>(lowest(n) & 15), steps);
  Activations x;
  x.first = _mm512_shuffle_i64x2(a, b, 0x88);
  x.second = _mm512_shuffle_i64x2(a, b, 0xdd);
  const __m512i all_sums = _mm512_broadcast_i32x4(pairs);
  // In the lanes of the codes that it corrects: what the other lanes hold is rounded apart.
  const __m512i to_zero = _mm512_set1_epi8(static_cast<char>(Type::kZero));
  const __m512i product = _mm512_dpbusd_epi32(_mm512_setzero_si512(), to_zero, x.first);
  x.zero = _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_dpbusd_epi32(product, to_zero, x.second));
  x.step = _mm512_permutevar_ps(_mm512_broadcast_f32x4(four),
                                _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
  x.sum = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_madd_epi16(all_sums, own_pair(1))), x.step);
  return x;
}

/// kRows rows of activations times one row of weights. (Two rows of weights at a time would share the loads
/// of activations, but are slower: EPYC 9005, two streams of 2 to 4 KiB rows read at half the speed of one.)
template <class Type, std::size_t kRows>
struct Column32 {
  using Block = typename Type::Block;

  const MatmulArgs& a;
  std::size_t row, column;
  __m512 total[kRows];

  /// Blocks from i on, n of them.
  [[gnu::always_inline]] void add(std::size_t i, std::size_t n) {
    const std::uint8_t* w = a.w + column * a.w_stride + i * sizeof(Block);
    __m512i first, second;
    Type::unpack(w, n, first, second);
    const __m512 scale = halves<sizeof(Block)>(w, n);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const Activations x = load_step<Type>(a.x.codes + (row + r) * a.x.codes_stride + 32 * i,
                                            a.x.steps + (row + r) * a.x.steps_stride + i,
                                            a.x.sums + (row + r) * a.x.sums_stride + 2 * i, n);
      __m512i dots = Type::kZero == 0 ? _mm512_setzero_si512() : x.zero;
      dots = _mm512_dpbusd_epi32(dots, first, x.first);
      dots = _mm512_dpbusd_epi32(dots, second, x.second);
      total[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots), _mm512_mul_ps(scale, x.step), total[r]);
      if constexpr (Type::kOffset)
        total[r] = _mm512_fmadd_ps(halves<sizeof(Block)>(w + sizeof(gguf::Le16), n), x.sum, total[r]);
    }
  }

  void run() {
#pragma GCC unroll 16
    for (__m512& t : total) t = _mm512_setzero_ps();
    const std::size_t n_blocks = a.k / 32;
    std::size_t i = 0;
    for (; i + kStepBlocks <= n_blocks; i += kStepBlocks) add(i, kStepBlocks);
    if (i < n_blocks) add(i, n_blocks - i);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
      a.y[(row + r) * a.y_stride + column] = _mm512_reduce_add_ps(total[r]);
  }
};

}  // namespace
}  // namespace armature::kernels::avx512_vnni
