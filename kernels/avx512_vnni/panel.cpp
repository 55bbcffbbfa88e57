#include "kernels/avx512_vnni/simd.h"

/// Products with the int8 panels that avx2/int8_panel.h describes and unpacks.
namespace armature::kernels::avx512_vnni {
namespace {

constexpr std::size_t kPanelRows = 32;
constexpr std::size_t kCodeBytes = 32 * kPanelRows;
constexpr std::size_t kColumns = kPanelRows / kLanes;
constexpr std::size_t kTileRows = 6;  // with 2 registers of integer and 2 of f32 sums each: 24 of 32

/// weight = scale * (code - zero) + offset.
struct Kind {
  int zero;
  bool is_signed;  // codes are from -128 to 127
  bool has_offset;
  std::size_t sub;   // weights to a scale, 16 or 32
  std::size_t step;  // activations to a step, 32 or 256
};

template <Kind kind, std::size_t kRows>
struct Tile {
  static constexpr std::size_t kSubs = 32 / kind.sub;
  static constexpr std::size_t kStripBytes =
      kCodeBytes + kSubs * kPanelRows * sizeof(float) * (kind.has_offset ? 2 : 1);
  static constexpr short kZero = kind.is_signed ? 128 : kind.zero;

  const std::int8_t* codes[kRows];
  const float* steps[kRows];
  const std::int16_t* sums[kRows];
  __m512 total[kRows][kColumns];

  Tile(const Operand& x, std::size_t row) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      codes[r] = x.codes + (row + r) * x.codes_stride;
      steps[r] = x.steps + (row + r) * x.steps_stride;
      sums[r] = x.sums + (row + r) * x.sums_stride;
#pragma GCC unroll 16
      for (__m512& t : total[r]) t = _mm512_setzero_ps();
    }
  }

  /// factor * (sum of the codes of part `sub` of a strip), from the sums of its two 16s.
  static __m512i sum_of_codes(const std::int16_t* pair, std::size_t sub, short factor) {
    const bool low = kind.sub == 32 || sub == 0, high = kind.sub == 32 || sub == 1;
    const __m512i factors = _mm512_mask_set1_epi16(_mm512_set1_epi16(low ? factor : short{0}), 0xaaaaaaaau,
                                                   high ? factor : short{0});
    return _mm512_madd_epi16(_mm512_set1_epi32(read<int>(pair)), factors);
  }

  /// Part `sub` of the strip for k from `at` on.
  [[gnu::always_inline]] void add_sub(const std::uint8_t* strip, std::size_t at, std::size_t sub) {
    __m512i dots[kRows][kColumns];
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 16
      for (__m512i& d : dots[r])
        d = kZero == 0 ? _mm512_setzero_si512() : sum_of_codes(sums[r] + at / 16, sub, -kZero);
#pragma GCC unroll 8
    for (std::size_t i = sub * kind.sub / 4; i < (sub + 1) * kind.sub / 4; ++i) {
      __m512i w[kColumns];
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) {
        w[c] = _mm512_load_si512(strip + (i * kPanelRows + c * kLanes) * 4);
        if constexpr (kind.is_signed) w[c] = _mm512_xor_si512(w[c], _mm512_set1_epi8(-128));
      }
#pragma GCC unroll 16
      for (std::size_t r = 0; r < kRows; ++r) {
        const __m512i x = _mm512_set1_epi32(read<int>(codes[r] + at + 4 * i));
#pragma GCC unroll 16
        for (std::size_t c = 0; c < kColumns; ++c) dots[r][c] = _mm512_dpbusd_epi32(dots[r][c], w[c], x);
      }
    }
    const float* scales = reinterpret_cast<const float*>(strip + kCodeBytes) + sub * kPanelRows;
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const __m512 step = _mm512_set1_ps(steps[r][at / kind.step]);
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) {
        const __m512 scale = _mm512_mul_ps(_mm512_load_ps(scales + c * kLanes), step);
        total[r][c] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[r][c]), scale, total[r][c]);
      }
      if constexpr (kind.has_offset) {
        const __m512 sum = _mm512_mul_ps(_mm512_cvtepi32_ps(sum_of_codes(sums[r] + at / 16, sub, 1)), step);
#pragma GCC unroll 16
        for (std::size_t c = 0; c < kColumns; ++c)
          total[r][c] =
              _mm512_fmadd_ps(_mm512_load_ps(scales + kSubs * kPanelRows + c * kLanes), sum, total[r][c]);
      }
    }
  }
};

template <Kind kind, std::size_t kRows>
void tile(const PanelArgs& a, std::size_t row) {
  using Place = Tile<kind, kRows>;
  Place tile(a.x, row);
  for (std::size_t at = 0; at < a.k; at += 32)
    for (std::size_t sub = 0; sub < Place::kSubs; ++sub)
      tile.add_sub(a.panel + at / 32 * Place::kStripBytes, at, sub);
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t c = 0; c < kColumns && c * kLanes < a.n; ++c)
      _mm512_mask_storeu_ps(a.y + (row + r) * a.y_stride + c * kLanes, lowest(a.n - c * kLanes),
                            tile.total[r][c]);
}

template <Kind kind>
void product(const PanelArgs& a) {
  std::size_t row = 0;
  for (; row + kTileRows <= a.m; row += kTileRows) tile<kind, kTileRows>(a, row);
  for (; row + 2 <= a.m; row += 2) tile<kind, 2>(a, row);
  if (row < a.m) tile<kind, 1>(a, row);
}

// zero, is_signed, has_offset, sub, step
constexpr Kind kQ4_0{8, false, false, 32, 32}, kQ5_0{16, false, false, 32, 32};
constexpr Kind kQ4_1{0, false, true, 32, 32};
constexpr Kind kQ8_0{0, true, false, 32, 32}, kIQ4_XS{0, true, false, 32, 256};
constexpr Kind kQ4_K{0, false, true, 32, 256}, kQ2_K{0, false, true, 16, 256};
constexpr Kind kQ3_K{4, false, false, 16, 256}, kQ6_K{32, false, false, 16, 256};

}  // namespace

void panel_product_q4_0(const PanelArgs& a) noexcept { product<kQ4_0>(a); }
void panel_product_q4_1(const PanelArgs& a) noexcept { product<kQ4_1>(a); }
void panel_product_q5_0(const PanelArgs& a) noexcept { product<kQ5_0>(a); }
void panel_product_q5_1(const PanelArgs& a) noexcept { product<kQ4_1>(a); }
void panel_product_q8_0(const PanelArgs& a) noexcept { product<kQ8_0>(a); }
void panel_product_iq4_nl(const PanelArgs& a) noexcept { product<kQ8_0>(a); }
void panel_product_q2_k(const PanelArgs& a) noexcept { product<kQ2_K>(a); }
void panel_product_q3_k(const PanelArgs& a) noexcept { product<kQ3_K>(a); }
void panel_product_q4_k(const PanelArgs& a) noexcept { product<kQ4_K>(a); }
void panel_product_q5_k(const PanelArgs& a) noexcept { product<kQ4_K>(a); }
void panel_product_q6_k(const PanelArgs& a) noexcept { product<kQ6_K>(a); }
void panel_product_iq4_xs(const PanelArgs& a) noexcept { product<kIQ4_XS>(a); }

}  // namespace armature::kernels::avx512_vnni
