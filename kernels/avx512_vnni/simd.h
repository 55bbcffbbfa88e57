#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "gguf/blocks.h"
#include "kernels/args.h"

/// What the files of this folder share.
///
/// Loops over arrays of registers carry an unroll pragma throughout: GCC 12 at -O3 otherwise stores the
/// arrays to memory on every turn, which halves the speed of attention and of the panel products.
namespace armature::kernels::avx512_vnni {
namespace {

constexpr std::size_t kLanes = 16;  // f32 in a register

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

inline __m128i load_128(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }
inline __m256i load_256(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
inline __m512i load_512(const void* p) { return _mm512_loadu_si512(p); }

template <class T>
inline T read(const void* p) {
  T value;
  __builtin_memcpy(&value, p, sizeof(T));
  return value;
}

inline float f16(gguf::Le16 half) { return _cvtsh_ss(read<std::uint16_t>(half.bytes)); }

/// 32 bytes, twice.
inline __m512i load_256_twice(const void* p) { return _mm512_broadcast_i64x4(load_256(p)); }

/// A mask of the lowest n of its bits; n may be more than 16.
inline __mmask16 lowest(std::size_t n) { return static_cast<__mmask16>(n < 16 ? (1u << n) - 1 : 0xffffu); }
inline __mmask64 lowest_64(std::size_t n) { return n < 64 ? (std::uint64_t{1} << n) - 1 : ~std::uint64_t{0}; }

/// The 16 values that codes of IQ4_NL and IQ4_XS stand for.
inline __m512i iq4_values(__m512i nibbles) {
  const __m128i table =
      _mm_setr_epi8(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113);
  return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), nibbles);
}

}  // namespace
}  // namespace armature::kernels::avx512_vnni
