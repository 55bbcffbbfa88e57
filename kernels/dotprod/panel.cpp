#include "kernels/dotprod/panel.h"

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/vectors.h"

namespace armature::kernels::dotprod {
namespace {

/// Stretch of k after which sums go to memory: a slab of it and four rows of activations lie in a first-level
/// cache of 32 KiB.
constexpr std::size_t kStretch = 1024;

constexpr int kVectors = kSlabRows / 4;

/// dots[r][j] += products of the 16 codes from `at` on of row r with those of the slab's rows 4j to 4j + 3.
template <int kRows>
inline void add_dots(const std::int8_t* w, const Rounded<kRows>& x, std::size_t at,
                     int32x4_t (&dots)[kRows][kVectors]) {
  int8x16_t codes[kRows];
  repeat<kRows>([&](auto r) { codes[r] = vld1q_s8(x.codes[r] + at); });
  repeat<4>([&](auto lane) {
    repeat<kVectors>([&](auto j) {
      const int8x16_t four = vld1q_s8(w + (lane * kVectors + j) * 16);
      repeat<kRows>([&](auto r) { dots[r][j] = vdotq_laneq_s32(dots[r][j], four, codes[r], lane); });
    });
  });
}

template <int kRows>
inline void clear(int32x4_t (&v)[kRows][kVectors]) {
  repeat<kRows>([&](auto r) { repeat<kVectors>([&](auto j) { v[r][j] = vdupq_n_s32(0); }); });
}

/// totals[j] += sums[j] * scales * factor, lane by lane.
inline void add_scaled(float32x4_t (&totals)[kVectors], const int32x4_t (&sums)[kVectors],
                       const float* scales, float factor) {
  repeat<kVectors>([&](auto j) {
    totals[j] = vfmaq_f32(totals[j], vcvtq_f32_s32(sums[j]), vmulq_n_f32(vld1q_f32(scales + 4 * j), factor));
  });
}

template <bool kMinimum>
struct Kind32 {
  using Block = SlabBlock32<kMinimum>;
  static constexpr std::size_t kLength = 32;

  template <int kRows>
  static void add(const Block& w, const Rounded<kRows>& x, std::size_t at,
                  float32x4_t (&totals)[kRows][kVectors]) {
    int32x4_t dots[kRows][kVectors];
    clear(dots);
    add_dots<kRows>(w.codes, x, at * 32, dots);
    add_dots<kRows>(w.codes + 16 * kSlabRows, x, at * 32 + 16, dots);
    repeat<kRows>([&](auto r) {
      const float step = x.steps[r][at];
      add_scaled(totals[r], dots[r], w.scales, step);
      if constexpr (kMinimum) {
        const std::int16_t* sums = x.sums[r] + 2 * at;
        const float scaled_sum = step * static_cast<float>(sums[0] + sums[1]);
        repeat<kVectors>([&](auto j) {
          totals[r][j] = vfmaq_n_f32(totals[r][j], vld1q_f32(w.minima + 4 * j), scaled_sum);
        });
      }
    });
  }
};

/// total += sums of codes 0 to 7 times the minima of 8 sub-blocks.
inline void add_minima(const std::int16_t (*minima)[kSlabRows], int16x8_t sums,
                       int32x4_t (&total)[kVectors]) {
  repeat<8>([&](auto lane) {
    const int16x8_t rows = vld1q_s16(minima[lane]);
    total[0] = vmlal_laneq_s16(total[0], vget_low_s16(rows), sums, lane);
    total[1] = vmlal_high_laneq_s16(total[1], rows, sums, lane);
  });
}

template <int kSub, bool kMinimum>
struct Kind256 {
  using Block = SlabBlock256<kSub, kMinimum>;
  static constexpr std::size_t kLength = 256;

  template <int kRows>
  static void add(const Block& w, const Rounded<kRows>& x, std::size_t at,
                  float32x4_t (&totals)[kRows][kVectors]) {
    int32x4_t sums[kRows][kVectors];
    clear(sums);
    for (std::size_t sub = 0; sub < Block::kSubs; ++sub) {
      int32x4_t dots[kRows][kVectors];
      clear(dots);
      repeat<kSub / 16>([&](auto half) {
        const std::size_t i = sub * kSub + half * 16;
        add_dots<kRows>(w.codes + i * kSlabRows, x, at * 256 + i, dots);
      });
      repeat<kVectors>([&](auto j) {
        const int32x4_t scales = vld1q_s32(w.scales[sub] + 4 * j);
        repeat<kRows>([&](auto r) { sums[r][j] = vmlaq_s32(sums[r][j], dots[r][j], scales); });
      });
    }
    repeat<kRows>([&](auto r) {
      const float step = x.steps[r][at];
      add_scaled(totals[r], sums[r], w.d, step);
      if constexpr (kMinimum) {
        int32x4_t minima[kVectors];
        sum_minima(w, x.sums[r] + at * 16, minima);
        add_scaled(totals[r], minima, w.dmin, -step);
      }
    });
  }

  /// What the minima make of one row's sums of codes.
  static void sum_minima(const Block& w, const std::int16_t* sums, int32x4_t (&minima)[kVectors]) {
    repeat<kVectors>([&](auto j) { minima[j] = vdupq_n_s32(0); });
    const int16x8_t first = vld1q_s16(sums), second = vld1q_s16(sums + 8);
    if constexpr (kSub == 32) {
      add_minima(w.minima, vpaddq_s16(first, second), minima);
    } else {
      add_minima(w.minima, first, minima);
      add_minima(w.minima + 8, second, minima);
    }
  }
};

/// y[0 .. n - 1] = sums, or += sums.
inline void put_outputs(float* y, const float32x4_t (&sums)[kVectors], std::size_t n, bool add) {
  float whole[kSlabRows];
  float* out = n == kSlabRows ? y : whole;
  for (std::size_t j = 0; n < kSlabRows && j < n; ++j) whole[j] = y[j];
  repeat<kVectors>(
      [&](auto j) { vst1q_f32(out + j * 4, add ? vaddq_f32(vld1q_f32(out + j * 4), sums[j]) : sums[j]); });
  for (std::size_t j = 0; n < kSlabRows && j < n; ++j) y[j] = whole[j];
}

/// Blocks `begin` to `end` of one slab with kRows rows of x from `row` on. All that it calls is inlined, as
/// only then the sums stay in registers.
template <class Kind, int kRows>
[[gnu::flatten]] void add_stretch(const PanelArgs& a, std::size_t slab, std::size_t row, std::size_t begin,
                                  std::size_t end) {
  const auto* blocks = reinterpret_cast<const typename Kind::Block*>(a.panel) + slab * (a.k / Kind::kLength);
  const Rounded<kRows> x = rounded_rows<kRows>(a.x, row);
  float32x4_t totals[kRows][kVectors];
  repeat<kRows>([&](auto r) { repeat<kVectors>([&](auto j) { totals[r][j] = vdupq_n_f32(0); }); });
  for (std::size_t at = begin; at < end; ++at) Kind::template add<kRows>(blocks[at], x, at, totals);
  const std::size_t column = slab * kSlabRows, left = a.n - column;
  const std::size_t n = left < kSlabRows ? left : kSlabRows;
  repeat<kRows>([&](auto r) { put_outputs(a.y + (row + r) * a.y_stride + column, totals[r], n, begin > 0); });
}

template <class Kind>
void product(const PanelArgs& a) {
  const std::size_t n_blocks = a.k / Kind::kLength, n_stretch = kStretch / Kind::kLength;
  for (std::size_t begin = 0; begin < n_blocks; begin += n_stretch) {
    const std::size_t end = n_blocks - begin < n_stretch ? n_blocks : begin + n_stretch;
    in_groups_of_four(a.m, [&]<int kRows>(std::size_t row) {
      for (std::size_t slab = 0; slab * kSlabRows < a.n; ++slab)
        add_stretch<Kind, kRows>(a, slab, row, begin, end);
    });
  }
}

template <class Kind>
std::size_t bytes(std::size_t k) {
  return kSlabs * (k / Kind::kLength) * sizeof(typename Kind::Block);
}

}  // namespace

std::size_t panel_bytes_q8_32(std::size_t k) noexcept { return bytes<Kind32<false>>(k); }
std::size_t panel_bytes_q8_32_minimum(std::size_t k) noexcept { return bytes<Kind32<true>>(k); }
std::size_t panel_bytes_q8_256_16(std::size_t k) noexcept { return bytes<Kind256<16, false>>(k); }
std::size_t panel_bytes_q8_256_16_minimum(std::size_t k) noexcept { return bytes<Kind256<16, true>>(k); }
std::size_t panel_bytes_q8_256_32(std::size_t k) noexcept { return bytes<Kind256<32, false>>(k); }
std::size_t panel_bytes_q8_256_32_minimum(std::size_t k) noexcept { return bytes<Kind256<32, true>>(k); }

void panel_product_q8_32(const PanelArgs& a) noexcept { product<Kind32<false>>(a); }
void panel_product_q8_32_minimum(const PanelArgs& a) noexcept { product<Kind32<true>>(a); }
void panel_product_q8_256_16(const PanelArgs& a) noexcept { product<Kind256<16, false>>(a); }
void panel_product_q8_256_16_minimum(const PanelArgs& a) noexcept { product<Kind256<16, true>>(a); }
void panel_product_q8_256_32(const PanelArgs& a) noexcept { product<Kind256<32, false>>(a); }
void panel_product_q8_256_32_minimum(const PanelArgs& a) noexcept { product<Kind256<32, true>>(a); }

}  // namespace armature::kernels::dotprod
