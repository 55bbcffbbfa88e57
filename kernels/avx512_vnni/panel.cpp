#include "kernels/avx512_vnni/simd.h"

/// Products with the int8 panels that avx2/int8_panel.h describes and unpacks.
namespace armature::kernels::avx512_vnni {
namespace {

constexpr std::size_t kPanelRows = 32;
constexpr std::size_t kCodeBytes = 32 * kPanelRows;
constexpr std::size_t kColumns = kPanelRows / kLanes;
constexpr std::size_t kTileRows = 6;  // with 2 registers of integer and 2 of f32 sums each: 24 of 32

/// weight = scale * (code - kZero) + offset. kSigned: codes are from -128 to 127, and kZero is 0. A scale for
/// each kSub (16 or 32) weights, a step for each kStep (32 or 256) activations.
template <int zero, bool is_signed, bool offset, std::size_t sub, std::size_t step>
struct Kind {
  static constexpr int kZero = zero;
  static constexpr bool kSigned = is_signed, kOffset = offset;
  static constexpr std::size_t kSub = sub, kStep = step;
};

template <class Type, std::size_t kRows>
struct Tile {
  static constexpr std::size_t kSubs = 32 / Type::kSub;
  static constexpr std::size_t kStripBytes =
      kCodeBytes + kSubs * kPanelRows * sizeof(float) * (Type::kOffset ? 2 : 1);
  static constexpr short kZero = Type::kSigned ? 128 : Type::kZero;

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
    const bool low = Type::kSub == 32 || sub == 0, high = Type::kSub == 32 || sub == 1;
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
    for (std::size_t step = 0; step < Type::kSub / 4; ++step) {
      const std::size_t i = sub * Type::kSub / 4 + step;
      __m512i w[kColumns];
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) {
        w[c] = _mm512_load_si512(strip + (i * kPanelRows + c * kLanes) * 4);
        if constexpr (Type::kSigned) w[c] = _mm512_xor_si512(w[c], _mm512_set1_epi8(-128));
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
      const __m512 step = _mm512_set1_ps(steps[r][at / Type::kStep]);
#pragma GCC unroll 16
      for (std::size_t c = 0; c < kColumns; ++c) {
        const __m512 scale = _mm512_mul_ps(_mm512_load_ps(scales + c * kLanes), step);
        total[r][c] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[r][c]), scale, total[r][c]);
      }
      if constexpr (Type::kOffset) {
        const __m512 sum = _mm512_mul_ps(_mm512_cvtepi32_ps(sum_of_codes(sums[r] + at / 16, sub, 1)), step);
#pragma GCC unroll 16
        for (std::size_t c = 0; c < kColumns; ++c)
          total[r][c] =
              _mm512_fmadd_ps(_mm512_load_ps(scales + kSubs * kPanelRows + c * kLanes), sum, total[r][c]);
      }
    }
  }
};

template <class Type, std::size_t kRows>
void tile(const PanelArgs& a, std::size_t row) {
  using Place = Tile<Type, kRows>;
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

template <class Type>
void product(const PanelArgs& a) {
  std::size_t row = 0;
  for (; row + kTileRows <= a.m; row += kTileRows) tile<Type, kTileRows>(a, row);
  for (; row + 2 <= a.m; row += 2) tile<Type, 2>(a, row);
  if (row < a.m) tile<Type, 1>(a, row);
}

using Q4_0 = Kind<8, false, false, 32, 32>;
using Q5_0 = Kind<16, false, false, 32, 32>;
using Q4_1 = Kind<0, false, true, 32, 32>;  // and Q5_1
using Q8_0 = Kind<0, true, false, 32, 32>;  // and IQ4_NL
using IQ4_XS = Kind<0, true, false, 32, 256>;
using Q4_K = Kind<0, false, true, 32, 256>;  // and Q5_K
using Q2_K = Kind<0, false, true, 16, 256>;
using Q3_K = Kind<4, false, false, 16, 256>;
using Q6_K = Kind<32, false, false, 16, 256>;

}  // namespace

void panel_product_q4_0(const PanelArgs& a) noexcept { product<Q4_0>(a); }
void panel_product_q4_1(const PanelArgs& a) noexcept { product<Q4_1>(a); }
void panel_product_q5_0(const PanelArgs& a) noexcept { product<Q5_0>(a); }
void panel_product_q5_1(const PanelArgs& a) noexcept { product<Q4_1>(a); }
void panel_product_q8_0(const PanelArgs& a) noexcept { product<Q8_0>(a); }
void panel_product_iq4_nl(const PanelArgs& a) noexcept { product<Q8_0>(a); }
void panel_product_q2_k(const PanelArgs& a) noexcept { product<Q2_K>(a); }
void panel_product_q3_k(const PanelArgs& a) noexcept { product<Q3_K>(a); }
void panel_product_q4_k(const PanelArgs& a) noexcept { product<Q4_K>(a); }
void panel_product_q5_k(const PanelArgs& a) noexcept { product<Q4_K>(a); }
void panel_product_q6_k(const PanelArgs& a) noexcept { product<Q6_K>(a); }
void panel_product_iq4_xs(const PanelArgs& a) noexcept { product<IQ4_XS>(a); }

}  // namespace armature::kernels::avx512_vnni
