#pragma once

#include "kernels/avx2/blocks.h"

/// Products of a few rows of activations with quantized weights that are read where they lie. Up to kTogether
/// rows share the unpacking of a block; a row's arithmetic does not depend on the others.
namespace armature::kernels::avx2 {
namespace {

constexpr std::size_t kTogether = 4;

/// 16 sums of two products code * x each. They fit 16 bits: codes to 63 because 2 * 63 * 127 does; signed
/// codes by moving their sign to x, since 2 * 128 * 127 does too.
template <class Type>
inline __m256i product_pairs(__m256i codes, __m256i x) {
  if constexpr (Type::kSigned)
    return _mm256_maddubs_epi16(_mm256_abs_epi8(codes), _mm256_sign_epi8(x, codes));
  else
    return _mm256_maddubs_epi16(codes, x);
}

/// The rows of one call, from `first` on.
template <std::size_t kRows>
struct Rows {
  const std::int8_t* codes[kRows];
  const float* steps[kRows];
  const std::int16_t* sums[kRows];

  Rows(const Operand& x, std::size_t first) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      codes[r] = x.codes + (first + r) * x.codes_stride;
      steps[r] = x.steps + (first + r) * x.steps_stride;
      sums[r] = x.sums + (first + r) * x.sums_stride;
    }
  }
};

/// One row of weights in blocks of 32, activations in form Q8_32.
template <class Type, std::size_t kRows>
struct Blocks32 {
  static constexpr std::size_t kParts = 2;  // of each sum, for even and odd blocks, so that additions overlap

  const Rows<kRows>& x;
  __m256 total[kRows][kParts];
  float offsets[kRows] = {};

  [[gnu::always_inline]] void add(const typename Type::Block& block, std::size_t i, std::size_t part) {
    const __m256i codes = Type::codes(block);
    const float scale = Type::scale(block);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const __m256i values = load_256(x.codes[r] + 32 * i);
      __m256i pairs = product_pairs<Type>(codes, values);
      if constexpr (Type::kZero != 0)
        pairs = _mm256_sub_epi16(pairs, _mm256_maddubs_epi16(_mm256_set1_epi8(Type::kZero), values));
      const __m256 dots = _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
      const float step = x.steps[r][i];
      total[r][part] = _mm256_fmadd_ps(dots, _mm256_set1_ps(scale * step), total[r][part]);
      if constexpr (Type::kOffset) {
        const int sum_of_codes = x.sums[r][2 * i] + x.sums[r][2 * i + 1];
        offsets[r] += Type::offset(block) * (step * static_cast<float>(sum_of_codes));
      }
    }
  }

  static void product(const Rows<kRows>& x, const std::uint8_t* w, std::size_t k, float (&out)[kRows]) {
    const auto* blocks = reinterpret_cast<const typename Type::Block*>(w);
    Blocks32 sums{x, {}};
#pragma GCC unroll 16
    for (auto& t : sums.total)
#pragma GCC unroll 16
      for (__m256& part : t) part = _mm256_setzero_ps();
    std::size_t i = 0;
    for (; i + 2 <= k / 32; i += 2) {
      sums.add(blocks[i], i, 0);
      sums.add(blocks[i + 1], i + 1, 1);
    }
    if (i < k / 32) sums.add(blocks[i], i, 0);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
      out[r] = sum(_mm256_add_ps(sums.total[r][0], sums.total[r][1])) + sums.offsets[r];
  }
};

/// One row of weights in blocks of 256, activations in form Q8_256. Integers until the block's end.
template <class Type, std::size_t kRows>
struct Blocks256 {
  static void product(const Rows<kRows>& x, const std::uint8_t* w, std::size_t k, float (&out)[kRows]) {
    const auto* blocks = reinterpret_cast<const typename Type::Block*>(w);
    __m256 total[kRows];
#pragma GCC unroll 16
    for (__m256& t : total) t = _mm256_setzero_ps();
    for (std::size_t i = 0; i < k / 256; ++i) {
      const Scales scales = Type::scales(blocks[i]);
      __m256i dots[kRows];
#pragma GCC unroll 16
      for (std::size_t r = 0; r < kRows; ++r) dots[r] = zero_part(scales, x.sums[r] + 16 * i);
      add_codes(blocks[i], scales.scale, x, i, dots);
#pragma GCC unroll 16
      for (std::size_t r = 0; r < kRows; ++r) {
        const float step = x.steps[r][i];
        total[r] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[r]), _mm256_set1_ps(scales.d * step), total[r]);
        if constexpr (Type::kOffset) {
          const __m256i offsets = _mm256_madd_epi16(load_256(x.sums[r] + 16 * i), scales.offset);
          total[r] =
              _mm256_fnmadd_ps(_mm256_cvtepi32_ps(offsets), _mm256_set1_ps(scales.dmin * step), total[r]);
        }
      }
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) out[r] = sum(total[r]);
  }

 private:
  static __m256i zero_part(const Scales& scales, const std::int16_t* sums) {
    if constexpr (Type::kZero == 0) return _mm256_setzero_si256();
    return _mm256_mullo_epi32(_mm256_madd_epi16(load_256(sums), scales.scale),
                              _mm256_set1_epi32(-Type::kZero));
  }

  static void add_codes(const typename Type::Block& block, __m256i scale, const Rows<kRows>& x, std::size_t i,
                        __m256i (&dots)[kRows]) {
    // From two words, one to each half of a register.
    const __m256i spread =
        _mm256_setr_epi64x(0x0100010001000100, 0x0100010001000100, 0x0302030203020302, 0x0302030203020302);
#pragma GCC unroll 8
    for (std::size_t part = 0; part < 8; ++part) {
      const __m256i codes = Type::codes(block, part);
      const __m256i two_scales =
          _mm256_permutevar8x32_epi32(scale, _mm256_set1_epi32(static_cast<int>(part)));
      const __m256i scales = _mm256_shuffle_epi8(two_scales, spread);
#pragma GCC unroll 16
      for (std::size_t r = 0; r < kRows; ++r) {
        const __m256i pairs = product_pairs<Type>(codes, load_256(x.codes[r] + 256 * i + 32 * part));
        dots[r] = _mm256_add_epi32(dots[r], _mm256_madd_epi16(pairs, scales));
      }
    }
  }
};

template <template <class, std::size_t> class Product, class Type, std::size_t kRows>
void column_of(const MatmulArgs& a, std::size_t first, std::size_t column) {
  float out[kRows];
  Product<Type, kRows>::product(Rows<kRows>(a.x, first), a.w + column * a.w_stride, a.k, out);
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) a.y[(first + r) * a.y_stride + column] = out[r];
}

/// y of MatmulArgs, kTogether rows at a time.
template <template <class, std::size_t> class Product, class Type>
void few_rows(const MatmulArgs& a) {
  for (std::size_t column = 0; column < a.n; ++column) {
    std::size_t row = 0;
    for (; row + kTogether <= a.m; row += kTogether) column_of<Product, Type, kTogether>(a, row, column);
    if (row + 2 <= a.m) {
      column_of<Product, Type, 2>(a, row, column);
      row += 2;
    }
    if (row < a.m) column_of<Product, Type, 1>(a, row, column);
  }
}

}  // namespace
}  // namespace armature::kernels::avx2
