#pragma once

#include "kernels/avx512_vnni/simd.h"

/// Products of a few rows of activations in form Q8_256 with weights in blocks of 256 that are read where
/// they lie. kRows rows of activations share the unpacking of weights; an element's arithmetic does not
/// depend on kRows.
///
/// Type is a struct of Block, kZero, kSigned and kOffset, with codes(block, i) for weights 64i
/// to 64i + 63, in order, as bytes from 0 to 63 or signed (then kZero is 0), and scales(block):
///   weight = d * scale * (code - kZero) - dmin * offset, scale and offset those of its 16 weights.
namespace armature::kernels::avx512_vnni {
namespace {

/// Of a block: 16 integers of 16 bits each, one for each 16 weights.
struct Scales {
  __m256i scale, offset;
  float d, dmin;
};

/// Each half of the register down by its own number of bits, and masked.
inline __m512i bits(__m512i bytes, int first_half, int second_half, char mask) {
  const __m512i counts = _mm512_inserti64x4(_mm512_set1_epi16(static_cast<short>(first_half)),
                                            _mm256_set1_epi16(static_cast<short>(second_half)), 1);
  return _mm512_and_si512(_mm512_srlv_epi16(bytes, counts), _mm512_set1_epi8(mask));
}

/// Adds `value` to the bytes for which the same byte of `flags` has a bit: in the first half bit 2i, in the
/// second bit 2i + 1. For planes of 32 bytes with one bit for each 32 weights.
inline __m512i add_where(__m512i codes, const std::uint8_t* plane, std::size_t i, char value) {
  const __m512i chosen = _mm512_inserti64x4(_mm512_set1_epi8(static_cast<char>(1 << (2 * i))),
                                            _mm256_set1_epi8(static_cast<char>(2 << (2 * i))), 1);
  const __mmask64 has = _mm512_test_epi8_mask(load_256_twice(plane), chosen);
  return _mm512_mask_add_epi8(codes, has, codes, _mm512_set1_epi8(value));
}

/// 8 bytes, one for each 32 weights, as 16 words, one for each 16.
inline __m256i words_twice(std::uint64_t bytes) {
  const __m128i pairs = _mm_cvtsi64_si128(static_cast<long long>(bytes));
  return _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(pairs, pairs));
}

/// The six-bit scales and minima of Q4_K and Q5_K.
template <class Block>
inline Scales six_bit_scales(const Block& b) {
  const auto first = read<std::uint32_t>(b.scales), second = read<std::uint32_t>(b.scales + 4),
             third = read<std::uint32_t>(b.scales + 8);
  const std::uint64_t scale_high = (third & 0x0f0f0f0fu) | ((first >> 2) & 0x30303030u);
  const std::uint64_t offset_high = ((third >> 4) & 0x0f0f0f0fu) | ((second >> 2) & 0x30303030u);
  return {words_twice((first & 0x3f3f3f3fu) | scale_high << 32),
          words_twice((second & 0x3f3f3f3fu) | offset_high << 32), f16(b.d), f16(b.dmin)};
}

/// Two-bit fields of Q2_K and Q3_K, and paired nibbles of Q4_K and Q5_K: those of weights 64i to 64i + 63.
inline __m512i two_bits(const std::uint8_t* q, std::size_t i) {
  const int first = 4 * static_cast<int>(i % 2);
  return bits(load_256_twice(q + 32 * (i / 2)), first, first + 2, 3);
}
inline __m512i paired_nibbles(const std::uint8_t* q, std::size_t i) {
  return bits(load_256_twice(q + 32 * i), 0, 4, 15);
}

/// Scales 4i to 4i + 3, each in the 8 words of its 16 weights.
inline __m512i spread_scales(__m256i scales, std::size_t i) {
  const __m512i four =
      _mm512_permutexvar_epi64(_mm512_set1_epi64(static_cast<long long>(i)), _mm512_castsi256_si512(scales));
  const __m512i spread =
      _mm512_set_epi64(0x0706070607060706, 0x0706070607060706, 0x0504050405040504, 0x0504050405040504,
                       0x0302030203020302, 0x0302030203020302, 0x0100010001000100, 0x0100010001000100);
  return _mm512_shuffle_epi8(four, spread);
}

/// 32 sums of two products code * x each. They fit 16 bits: codes to 63 because 2 * 63 * 127 does; signed
/// codes by moving their sign to x, since 2 * 128 * 127 does too.
template <class Type>
inline __m512i product_pairs(__m512i codes, __m512i x) {
  if constexpr (Type::kSigned)
    return _mm512_maddubs_epi16(_mm512_abs_epi8(codes), _mm512_mask_sub_epi8(x, _mm512_movepi8_mask(codes),
                                                                             _mm512_setzero_si512(), x));
  else
    return _mm512_maddubs_epi16(codes, x);
}

template <class Type, std::size_t kRows>
struct Row256 {
  using Block = typename Type::Block;

  const std::int8_t* codes[kRows];
  const float* steps[kRows];
  const std::int16_t* sums[kRows];
  __m512 total[kRows];

  Row256(const Operand& x, std::size_t row) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      codes[r] = x.codes + (row + r) * x.codes_stride;
      steps[r] = x.steps + (row + r) * x.steps_stride;
      sums[r] = x.sums + (row + r) * x.sums_stride;
      total[r] = _mm512_setzero_ps();
    }
  }

  /// Adds scale * products of one register's codes to the dots of each row.
  void add_codes(const Block& block, const Scales& s, std::size_t at, std::size_t i, __m512i (&dots)[kRows]) {
    const __m512i w = Type::codes(block, i);
    const __m512i scales = spread_scales(s.scale, i);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const __m512i x = load_512(codes[r] + at + 64 * i);
      dots[r] = _mm512_dpwssd_epi32(dots[r], product_pairs<Type>(w, x), scales);
    }
  }

  void add_block(const Block& block, std::size_t index) {
    const Scales s = Type::scales(block);
    const __m256i zero_scale = _mm256_mullo_epi16(s.scale, _mm256_set1_epi16(-Type::kZero));
    __m512i dots[kRows];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
      dots[r] = Type::kZero == 0
                    ? _mm512_setzero_si512()
                    : _mm512_zextsi256_si512(_mm256_madd_epi16(load_256(sums[r] + 16 * index), zero_scale));
#pragma GCC unroll 4
    for (std::size_t i = 0; i < 4; ++i) add_codes(block, s, 256 * index, i, dots);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const float step = steps[r][index];
      total[r] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[r]), _mm512_set1_ps(s.d * step), total[r]);
      if constexpr (Type::kOffset) {
        const __m512i offsets =
            _mm512_zextsi256_si512(_mm256_madd_epi16(load_256(sums[r] + 16 * index), s.offset));
        total[r] = _mm512_fnmadd_ps(_mm512_cvtepi32_ps(offsets), _mm512_set1_ps(s.dmin * step), total[r]);
      }
    }
  }
};

template <class Type, std::size_t kRows>
void column_256(const MatmulArgs& a, std::size_t row, std::size_t column) {
  const auto* blocks = reinterpret_cast<const typename Type::Block*>(a.w + column * a.w_stride);
  Row256<Type, kRows> rows(a.x, row);
  for (std::size_t i = 0; i < a.k / 256; ++i) rows.add_block(blocks[i], i);
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
    a.y[(row + r) * a.y_stride + column] = _mm512_reduce_add_ps(rows.total[r]);
}

}  // namespace
}  // namespace armature::kernels::avx512_vnni
