#pragma once

#include "kernels/avx2/few_rows.h"

/// Panels of 32 rows of quantized weights as bytes, for activations in int8. For each 32 of k, one after the
/// other, all 64-byte aligned:
///   codes    [8][32][4] bytes: for each 4 of k, 4 codes of each row
///   scales   [32 / kSub][32] f32
///   offsets  [32 / kSub][32] f32, with kOffset only
/// with codes, kSub and kOffset as in blocks.h. The panel rows of avx512_vnni/ read the same layout.
namespace armature::kernels::avx2 {
namespace {

constexpr std::size_t kPanelRows = 32;
constexpr std::size_t kCodeBytes = 32 * kPanelRows;

constexpr std::size_t strip_bytes(std::size_t sub, bool offsets) {
  return kCodeBytes + 32 / sub * kPanelRows * sizeof(float) * (offsets ? 2 : 1);
}

template <class Type>
constexpr bool is_super_block = sizeof(typename Type::Block) > 34;  // the largest block of 32 is that of Q8_0

template <class Type>
constexpr std::size_t sub_length() {
  if constexpr (is_super_block<Type>)
    return Type::kSub;
  else
    return 32;
}

/// Places in a strip, the part of a panel for 32 of k.
template <class Type>
struct Strip {
  static constexpr std::size_t kSubs = 32 / sub_length<Type>();
  static constexpr std::size_t kBytes = strip_bytes(sub_length<Type>(), Type::kOffset);
  static float* scales(std::uint8_t* strip) { return reinterpret_cast<float*>(strip + kCodeBytes); }
  static const float* scales(const std::uint8_t* strip) {
    return reinterpret_cast<const float*>(strip + kCodeBytes);
  }
};

/// 8 rows of 8 words of 32 bits become 8 columns, kPanelRows words apart.
inline void store_columns(const __m256i (&row)[8], std::uint8_t* out) {
  __m256i pair[8], four[8];
  for (std::size_t i = 0; i < 8; i += 2) {
    pair[i] = _mm256_unpacklo_epi32(row[i], row[i + 1]);
    pair[i + 1] = _mm256_unpackhi_epi32(row[i], row[i + 1]);
  }
  for (std::size_t i = 0; i < 8; i += 4)
    for (std::size_t j = 0; j < 2; ++j) {
      four[i + 2 * j] = _mm256_unpacklo_epi64(pair[i + j], pair[i + j + 2]);
      four[i + 2 * j + 1] = _mm256_unpackhi_epi64(pair[i + j], pair[i + j + 2]);
    }
  for (std::size_t i = 0; i < 4; ++i) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(out + i * 4 * kPanelRows),
                       _mm256_permute2x128_si256(four[i], four[i + 4], 0x20));
    _mm256_store_si256(reinterpret_cast<__m256i*>(out + (i + 4) * 4 * kPanelRows),
                       _mm256_permute2x128_si256(four[i], four[i + 4], 0x31));
  }
}

/// The codes of 8 rows from `row` on, 32i to 32i + 31 of k.
template <class Type>
void unpack_codes(const UnpackArgs& a, std::size_t row, std::size_t i, std::uint8_t* strip) {
  __m256i codes[8];
  for (std::size_t j = 0; j < 8; ++j) {
    codes[j] = _mm256_setzero_si256();
    if (row + j >= a.n) continue;
    const auto* blocks = reinterpret_cast<const typename Type::Block*>(a.w + (row + j) * a.w_stride);
    if constexpr (is_super_block<Type>)
      codes[j] = Type::codes(blocks[i / 8], i % 8);
    else
      codes[j] = Type::codes(blocks[i]);
  }
  store_columns(codes, strip + row * 4);
}

inline void scale_words(__m256i words, float factor, float (&out)[16]) {
  const __m256 f = _mm256_set1_ps(factor);
  const __m256i low = _mm256_cvtepi16_epi32(_mm256_castsi256_si128(words));
  const __m256i high = _mm256_cvtepi16_epi32(_mm256_extracti128_si256(words, 1));
  _mm256_storeu_ps(out, _mm256_mul_ps(_mm256_cvtepi32_ps(low), f));
  _mm256_storeu_ps(out + 8, _mm256_mul_ps(_mm256_cvtepi32_ps(high), f));
}

/// Scales and offsets of one row for its block i, in the strips from `strip` on.
template <class Type>
void unpack_scales(const typename Type::Block& block, std::size_t row, std::uint8_t* strip) {
  using Place = Strip<Type>;
  constexpr std::size_t kOffsetsFrom = Place::kSubs * kPanelRows;
  if constexpr (is_super_block<Type>) {
    const Scales s = Type::scales(block);
    float scales[16], offsets[16] = {};
    scale_words(s.scale, s.d, scales);
    if constexpr (Type::kOffset) scale_words(s.offset, -s.dmin, offsets);
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t sub = 0; sub < Place::kSubs; ++sub) {
        float* out = Place::scales(strip + i * Place::kBytes) + sub * kPanelRows + row;
        *out = scales[2 * i + sub];
        if constexpr (Type::kOffset) out[kOffsetsFrom] = offsets[2 * i + sub];
      }
  } else {
    Place::scales(strip)[row] = Type::scale(block);
    if constexpr (Type::kOffset) Place::scales(strip)[kOffsetsFrom + row] = Type::offset(block);
  }
}

template <class Type>
void unpack_panel(const UnpackArgs& a) {
  constexpr std::size_t kStrips = is_super_block<Type> ? 8 : 1;
  constexpr std::size_t kStripBytes = Strip<Type>::kBytes;
  for (std::size_t block = 0; block < a.k / (32 * kStrips); ++block) {
    std::uint8_t* strips = a.panel + block * kStrips * kStripBytes;
    for (std::size_t row = 0; row < kPanelRows; row += 8)
      for (std::size_t i = 0; i < kStrips; ++i)
        unpack_codes<Type>(a, row, block * kStrips + i, strips + i * kStripBytes);
    for (std::size_t i = 0; i < kStrips; ++i)
      for (std::size_t j = a.n; j < kPanelRows; ++j)
        for (std::size_t part = 0; part < (kStripBytes - kCodeBytes) / (4 * kPanelRows); ++part)
          Strip<Type>::scales(strips + i * kStripBytes)[part * kPanelRows + j] = 0.0f;
    for (std::size_t row = 0; row < a.n; ++row)
      unpack_scales<Type>(reinterpret_cast<const typename Type::Block*>(a.w + row * a.w_stride)[block], row,
                          strips);
  }
}

constexpr std::size_t kColumns = 2;  // registers of 8 panel rows at a time

/// kRows rows of activations times 16 panel rows; Type as in blocks.h.
template <class Type, std::size_t kRows>
struct Tile {
  static constexpr std::size_t kSub = sub_length<Type>();
  // So many sums of two products fit 16 bits together.
  static constexpr std::size_t kFit = Type::kSigned ? 1 : 32767 / (2 * 127 * Type::kLargest);
  static constexpr std::size_t kSpan = kFit >= kSub / 4 ? kSub / 4 : kFit >= 4 ? 4 : kFit >= 2 ? 2 : 1;
  static constexpr std::size_t kStepStrips = is_super_block<Type> ? 8 : 1;

  __m256 total[kRows][kColumns];

  static __m256i product_pairs_of(__m256i codes, __m256i magnitudes, __m256i x) {
    if constexpr (Type::kSigned)
      return _mm256_maddubs_epi16(magnitudes, _mm256_sign_epi8(x, codes));
    else
      return _mm256_maddubs_epi16(codes, x);
  }

  /// Dots over kSpan * 4 of k. `codes` are those of the first column.
  static void add_span(const std::uint8_t* codes, const Rows<kRows>& x, std::size_t at,
                       __m256i (&dots)[kRows][kColumns]) {
    __m256i pairs[kRows][kColumns];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kSpan; ++i) {
      __m256i w[kColumns], magnitudes[kColumns];
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) {
        w[c] = load_256(codes + i * 4 * kPanelRows + c * 32);
        magnitudes[c] = _mm256_abs_epi8(w[c]);
      }
#pragma GCC unroll 16
      for (std::size_t r = 0; r < kRows; ++r) {
        const __m256i values = _mm256_set1_epi32(read<int>(x.codes[r] + at + 4 * i));
#pragma GCC unroll 16
        for (std::size_t c = 0; c < kColumns; ++c) {
          const __m256i p = product_pairs_of(w[c], magnitudes[c], values);
          pairs[r][c] = i == 0 ? p : _mm256_add_epi16(pairs[r][c], p);
        }
      }
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c)
        dots[r][c] = _mm256_add_epi32(dots[r][c], _mm256_madd_epi16(pairs[r][c], _mm256_set1_epi16(1)));
  }

  static int sum_of_codes(const std::int16_t* sums, std::size_t at) {
    return kSub == 32 ? sums[at / 16] + sums[at / 16 + 1] : sums[at / 16];
  }

  /// One part of k with one scale, from `at` on.
  void add_sub(const std::uint8_t* codes, const float* scales, const Rows<kRows>& x, std::size_t at) {
    __m256i dots[kRows][kColumns];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c)
        dots[r][c] = Type::kZero == 0 ? _mm256_setzero_si256()
                                      : _mm256_set1_epi32(-Type::kZero * sum_of_codes(x.sums[r], at));
    for (std::size_t i = 0; i < kSub / 4; i += kSpan)
      add_span(codes + i * 4 * kPanelRows, x, at + 4 * i, dots);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const float step = x.steps[r][at / (32 * kStepStrips)];
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) {
        const __m256 scale = _mm256_mul_ps(_mm256_load_ps(scales + c * kLanes), _mm256_set1_ps(step));
        total[r][c] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[r][c]), scale, total[r][c]);
      }
      if constexpr (Type::kOffset) {
        const __m256 sum = _mm256_set1_ps(step * static_cast<float>(sum_of_codes(x.sums[r], at)));
        const float* offsets = scales + Strip<Type>::kSubs * kPanelRows;
#pragma GCC unroll 16
        for (std::size_t c = 0; c < kColumns; ++c)
          total[r][c] = _mm256_fmadd_ps(_mm256_load_ps(offsets + c * kLanes), sum, total[r][c]);
      }
    }
  }

  void run(const PanelArgs& a, std::size_t row, std::size_t column) {
    const Rows<kRows> x(a.x, row);
#pragma GCC unroll 16
    for (auto& t : total)
#pragma GCC unroll 16
      for (__m256& c : t) c = _mm256_setzero_ps();
    for (std::size_t at = 0; at < a.k; at += 32) {
      const std::uint8_t* strip = a.panel + at / 32 * Strip<Type>::kBytes;
      for (std::size_t sub = 0; sub < Strip<Type>::kSubs; ++sub)
        add_sub(strip + sub * kSub * kPanelRows + column * 4,
                Strip<Type>::scales(strip) + sub * kPanelRows + column, x, at + sub * kSub);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c)
        store_up_to(a.y + (row + r) * a.y_stride, column + c * kLanes, a.n, total[r][c]);
  }
};

template <class Type, std::size_t kRows>
void tile_row(const PanelArgs& a, std::size_t row) {
  for (std::size_t column = 0; column < a.n; column += kColumns * kLanes) {
    Tile<Type, kRows> tile;
    tile.run(a, row, column);
  }
}

template <class Type>
void panel_product(const PanelArgs& a) {
  std::size_t row = 0;
  for (; row + 4 <= a.m; row += 4) tile_row<Type, 4>(a, row);
  if (row + 2 <= a.m) {
    tile_row<Type, 2>(a, row);
    row += 2;
  }
  if (row < a.m) tile_row<Type, 1>(a, row);
}

}  // namespace
}  // namespace armature::kernels::avx2
