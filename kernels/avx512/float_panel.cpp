#include "kernels/avx512/simd.h"

/// Products with the f32 panels that avx2/float_panel.cpp describes and unpacks.
namespace armature::kernels::avx512 {
namespace {

constexpr std::size_t kPanelRows = 32;
constexpr std::size_t kColumns = kPanelRows / kLanes;
constexpr std::size_t kTileRows = 12;  // with 2 registers of sums each: 24 of 32
// So much of k at a time, with y for the sums between: 64 KiB of the panel, to be found in L2 by the next
// rows.
constexpr std::size_t kDepth = 512;

/// Adds the products over k from `from` to `to` to kRows rows of y.
template <std::size_t kRows>
void add_tile(const PanelArgs& a, std::size_t row, std::size_t from, std::size_t to) {
  const auto* panel = reinterpret_cast<const float*>(a.panel);
  const float* x = a.x.values + row * a.x.values_stride;
  float* y = a.y + row * a.y_stride;
  const __mmask16 masks[kColumns] = {lowest(a.n), a.n > kLanes ? lowest(a.n - kLanes) : __mmask16{0}};
  __m512 total[kRows][kColumns];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
    for (std::size_t c = 0; c < kColumns; ++c)
      total[r][c] = from == 0 ? _mm512_setzero_ps() : load_16(y + r * a.y_stride + c * kLanes, masks[c]);
  for (std::size_t i = from; i < to; ++i) {
    __m512 w[kColumns];
#pragma GCC unroll 16
    for (std::size_t c = 0; c < kColumns; ++c) w[c] = _mm512_load_ps(panel + i * kPanelRows + c * kLanes);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const __m512 value = _mm512_set1_ps(x[r * a.x.values_stride + i]);
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) total[r][c] = _mm512_fmadd_ps(value, w[c], total[r][c]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
    for (std::size_t c = 0; c < kColumns; ++c)
      _mm512_mask_storeu_ps(y + r * a.y_stride + c * kLanes, masks[c], total[r][c]);
}

}  // namespace

void float_panel_product(const PanelArgs& a) noexcept {
  for (std::size_t from = 0; from < a.k; from += kDepth) {
    const std::size_t to = smaller(from + kDepth, a.k);
    std::size_t row = 0;
    for (; row + kTileRows <= a.m; row += kTileRows) add_tile<kTileRows>(a, row, from, to);
    for (; row + 4 <= a.m; row += 4) add_tile<4>(a, row, from, to);
    for (; row < a.m; ++row) add_tile<1>(a, row, from, to);
  }
}

}  // namespace armature::kernels::avx512
