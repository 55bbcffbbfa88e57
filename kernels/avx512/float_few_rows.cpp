#include "kernels/avx512/simd.h"

namespace armature::kernels::avx512 {
namespace {

struct F32 {
  static constexpr std::size_t kBytes = 4;
  static __m512 load(const std::uint8_t* p, __mmask16 mask) { return _mm512_maskz_loadu_ps(mask, p); }
};
struct F16 {
  static constexpr std::size_t kBytes = 2;
  static __m512 load(const std::uint8_t* p, __mmask16 mask) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, p));
  }
};
/// The upper half of an f32.
struct BF16 {
  static constexpr std::size_t kBytes = 2;
  static __m512 load(const std::uint8_t* p, __mmask16 mask) {
    const __m256i words = _mm256_maskz_loadu_epi16(mask, p);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(words), 16));
  }
};

constexpr std::size_t kParts = 2;  // registers of sums for each element of y, so that additions overlap

/// kColumns columns of y from `column` on for kRows rows from `row` on. An element's arithmetic depends on
/// neither count.
template <class Type, std::size_t kRows, std::size_t kColumns>
struct Tile {
  const MatmulArgs& a;
  std::size_t row, column;
  __m512 total[kRows][kColumns][kParts];

  /// Adds the 16 products (fewer by the mask) at i.
  [[gnu::always_inline]] void add(std::size_t i, std::size_t part, __mmask16 mask) {
    __m512 w[kColumns];
#pragma GCC unroll 16
    for (std::size_t c = 0; c < kColumns; ++c) {
      const std::uint8_t* p = a.w + (column + c) * a.w_stride + i * Type::kBytes;
      w[c] = Type::load(p, mask);
      // The hardware follows one stream; with two, the next rows have to be asked for.
      if (kColumns > 1 && column + kColumns + c < a.n)
        _mm_prefetch(reinterpret_cast<const char*>(p + kColumns * a.w_stride), _MM_HINT_T0);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const __m512 x = load_16(a.x.values + (row + r) * a.x.values_stride + i, mask);
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c)
        total[r][c][part] = _mm512_fmadd_ps(x, w[c], total[r][c][part]);
    }
  }

  void run() {
#pragma GCC unroll 16
    for (auto& of_row : total)
#pragma GCC unroll 16
      for (auto& t : of_row)
#pragma GCC unroll 16
        for (__m512& part : t) part = _mm512_setzero_ps();
    std::size_t i = 0;
    for (; i + kParts * kLanes <= a.k; i += kParts * kLanes)
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kParts; ++p) add(i + p * kLanes, p, 0xffff);
    for (; i < a.k; i += kLanes) add(i, 0, lowest(a.k - i));
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c)
        a.y[(row + r) * a.y_stride + column + c] =
            _mm512_reduce_add_ps(_mm512_add_ps(total[r][c][0], total[r][c][1]));
  }
};

template <class Type, std::size_t kColumns>
void few_rows_of(const MatmulArgs& a, std::size_t column) {
  std::size_t row = 0;
  for (; row + 4 <= a.m; row += 4) Tile<Type, 4, kColumns>{a, row, column, {}}.run();
  if (row + 2 <= a.m) {
    Tile<Type, 2, kColumns>{a, row, column, {}}.run();
    row += 2;
  }
  if (row < a.m) Tile<Type, 1, kColumns>{a, row, column, {}}.run();
}

/// Two columns share the loads of activations, which for 4 rows of f32 do not fit L1. One row of activations
/// is a matter of reading: then a single stream of weights is faster than two.
template <class Type>
void few_rows(const MatmulArgs& a) {
  std::size_t column = 0;
  if (a.m > 1)
    for (; column + 2 <= a.n; column += 2) few_rows_of<Type, 2>(a, column);
  for (; column < a.n; ++column) few_rows_of<Type, 1>(a, column);
}

}  // namespace

void matmul_f32_f32(const MatmulArgs& a) noexcept { few_rows<F32>(a); }
void matmul_f16_f32(const MatmulArgs& a) noexcept { few_rows<F16>(a); }
void matmul_bf16_f32(const MatmulArgs& a) noexcept { few_rows<BF16>(a); }

}  // namespace armature::kernels::avx512
