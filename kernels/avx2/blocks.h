#pragma once

#include "kernels/avx2/simd.h"

/// How the fields of quantized blocks become registers.
///
/// A type of 32 weights to a block is a struct of
///   Block, kZero, kSigned, kLargest, kOffset; codes(block), scale(block) and, with kOffset, offset(block):
///   weight = scale * (code - kZero) + offset,
/// and one of 256 weights a struct of
///   Block, kZero, kSigned, kLargest, kOffset, kSub; codes(block, i) for weights 32i to 32i + 31;
///   scales(block): weight = d * scale * (code - kZero) - dmin * offset, scale and offset those of its 16
///   weights.
/// Codes are bytes, signed (then kZero is 0) or from 0 to kLargest. kSub is the length, 16 or 32, that shares
/// a scale.
namespace armature::kernels::avx2 {
namespace {

/// Of a block of 256: 16 integers of 16 bits each, one for each 16 weights.
struct Scales {
  __m256i scale, offset;
  float d, dmin;
};

/// Codes that take all of a byte; products of them need the sign trick of product_pairs().
struct SignedCodes {
  static constexpr int kZero = 0, kLargest = 128;
  static constexpr bool kSigned = true, kOffset = false;
};
template <int zero, int largest>
struct CenteredCodes {
  static constexpr int kZero = zero, kLargest = largest;
  static constexpr bool kSigned = false, kOffset = false;
};
template <int largest>
struct OffsetCodes {
  static constexpr int kZero = 0, kLargest = largest;
  static constexpr bool kSigned = false, kOffset = true;
};

/// 16 bytes as 32 nibbles: all low ones, then all high ones.
inline __m256i split_nibbles(const std::uint8_t* q) {
  const __m128i bytes = load_128(q);
  const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes), _mm_srli_epi16(bytes, 4), 1);
  return _mm256_and_si256(both, _mm256_set1_epi8(15));
}

/// Bits first, first + 1, ... of each byte, down to bit 0 and masked.
inline __m256i bits(__m256i bytes, std::size_t first, char mask) {
  const __m256i down = _mm256_srl_epi16(bytes, _mm_cvtsi32_si128(static_cast<int>(first)));
  return _mm256_and_si256(down, _mm256_set1_epi8(mask));
}

/// 32 bits as bytes of 0 or 16: the fifth bit of a code.
inline __m256i fifth_bits(gguf::Le32 bits32) {
  const __m256i all = _mm256_set1_epi32(read<std::int32_t>(bits32.bytes));
  const __m256i byte_of = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
  const __m256i chosen = _mm256_and_si256(_mm256_shuffle_epi8(all, byte_of), bit_of);
  return _mm256_and_si256(_mm256_cmpeq_epi8(chosen, bit_of), _mm256_set1_epi8(16));
}

/// The 16 values that codes of IQ4_NL and IQ4_XS stand for.
inline __m256i iq4_values(__m256i nibbles) {
  const __m128i table =
      _mm_setr_epi8(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), nibbles);
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

/// Two-bit fields of Q2_K and Q3_K: those of weights 32i to 32i + 31.
inline __m256i two_bits(const std::uint8_t* q, std::size_t i) {
  return bits(load_256(q + 32 * (i / 4)), 2 * (i % 4), 3);
}

/// Paired nibbles of Q4_K and Q5_K: those of weights 32i to 32i + 31.
inline __m256i paired_nibbles(const std::uint8_t* q, std::size_t i) {
  return bits(load_256(q + 32 * (i / 2)), 4 * (i % 2), 15);
}

}  // namespace
}  // namespace armature::kernels::avx2
