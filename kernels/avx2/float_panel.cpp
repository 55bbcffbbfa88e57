#include "kernels/avx2/float_weights.h"

/// Panels of 32 rows of F32, F16 or BF16 weights as f32, column by column: [k][32]. The panel row of avx512/
/// reads the same layout.
namespace armature::kernels::avx2 {
namespace {

constexpr std::size_t kPanelRows = 32;

/// 8 rows of 8 values become 8 columns, kPanelRows values apart.
void store_columns(const __m256 (&row)[8], float* out) {
  __m256 pair[8], four[8];
  for (std::size_t i = 0; i < 8; i += 2) {
    pair[i] = _mm256_unpacklo_ps(row[i], row[i + 1]);
    pair[i + 1] = _mm256_unpackhi_ps(row[i], row[i + 1]);
  }
  for (std::size_t i = 0; i < 8; i += 4)
    for (std::size_t j = 0; j < 2; ++j) {
      four[i + 2 * j] = _mm256_shuffle_ps(pair[i + j], pair[i + j + 2], 0x44);
      four[i + 2 * j + 1] = _mm256_shuffle_ps(pair[i + j], pair[i + j + 2], 0xee);
    }
  for (std::size_t i = 0; i < 4; ++i) {
    _mm256_store_ps(out + i * kPanelRows, _mm256_permute2f128_ps(four[i], four[i + 4], 0x20));
    _mm256_store_ps(out + (i + 4) * kPanelRows, _mm256_permute2f128_ps(four[i], four[i + 4], 0x31));
  }
}

template <class Type>
void unpack(const UnpackArgs& a) {
  auto* panel = reinterpret_cast<float*>(a.panel);
  for (std::size_t row = 0; row < kPanelRows; row += 8) {
    std::size_t i = 0;
    for (; i + 8 <= a.k; i += 8) {
      __m256 rows[8];
      for (std::size_t j = 0; j < 8; ++j)
        rows[j] = row + j < a.n ? Type::load_8(a.w + (row + j) * a.w_stride + i * Type::kBytes)
                                : _mm256_setzero_ps();
      store_columns(rows, panel + i * kPanelRows + row);
    }
    for (; i < a.k; ++i)
      for (std::size_t j = row; j < row + 8; ++j)
        panel[i * kPanelRows + j] = j < a.n ? Type::load_1(a.w + j * a.w_stride + i * Type::kBytes) : 0.0f;
  }
}

constexpr std::size_t kColumns = 2;  // registers of 8 panel rows at a time
// So much of k at a time, with y for the sums between: 64 KiB of the panel, to be found in L2 by the next
// rows.
constexpr std::size_t kDepth = 512;

constexpr std::size_t kTileColumns = kColumns * kLanes;

/// Adds the products over k from `from` to `to`, x[kRows, k] times kTileColumns columns of a panel, to sums.
template <std::size_t kRows>
void add_products(const float* x, std::size_t x_stride, const float* panel, std::size_t from, std::size_t to,
                  float (&sums)[kRows][kTileColumns]) {
  __m256 total[kRows][kColumns];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
    for (std::size_t c = 0; c < kColumns; ++c) total[r][c] = load_8(sums[r] + c * kLanes);
  for (std::size_t i = from; i < to; ++i) {
    __m256 w[kColumns];
#pragma GCC unroll 16
    for (std::size_t c = 0; c < kColumns; ++c) w[c] = _mm256_load_ps(panel + i * kPanelRows + c * kLanes);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const __m256 value = _mm256_broadcast_ss(x + r * x_stride + i);
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) total[r][c] = _mm256_fmadd_ps(value, w[c], total[r][c]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
    for (std::size_t c = 0; c < kColumns; ++c) _mm256_storeu_ps(sums[r] + c * kLanes, total[r][c]);
}

/// The same for kRows rows of y from `row` on and the columns from `column` on that lie below n. y goes
/// through a copy, so that the sums above are whole registers.
template <std::size_t kRows>
void add_tile(const PanelArgs& a, std::size_t row, std::size_t column, std::size_t from, std::size_t to) {
  const std::size_t count = smaller(kTileColumns, a.n - column);
  float* y = a.y + row * a.y_stride + column;
  float sums[kRows][kTileColumns] = {};
  if (from != 0)
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t c = 0; c < count; ++c) sums[r][c] = y[r * a.y_stride + c];
  add_products<kRows>(a.x.values + row * a.x.values_stride, a.x.values_stride,
                      reinterpret_cast<const float*>(a.panel) + column, from, to, sums);
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t c = 0; c < count; ++c) y[r * a.y_stride + c] = sums[r][c];
}

template <std::size_t kRows>
void add_tiles(const PanelArgs& a, std::size_t row, std::size_t from, std::size_t to) {
  for (std::size_t column = 0; column < a.n; column += kTileColumns)
    add_tile<kRows>(a, row, column, from, to);
}

}  // namespace

void unpack_f32(const UnpackArgs& a) noexcept { unpack<F32>(a); }
void unpack_f16(const UnpackArgs& a) noexcept { unpack<F16>(a); }
void unpack_bf16(const UnpackArgs& a) noexcept { unpack<BF16>(a); }

std::size_t float_panel_bytes(std::size_t k) noexcept { return k * kPanelRows * sizeof(float); }

void float_panel_product(const PanelArgs& a) noexcept {
  for (std::size_t from = 0; from < a.k; from += kDepth) {
    const std::size_t to = smaller(from + kDepth, a.k);
    std::size_t row = 0;
    for (; row + 6 <= a.m; row += 6) add_tiles<6>(a, row, from, to);
    for (; row + 2 <= a.m; row += 2) add_tiles<2>(a, row, from, to);
    if (row < a.m) add_tiles<1>(a, row, from, to);
  }
}

}  // namespace armature::kernels::avx2
