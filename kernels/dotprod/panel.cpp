#include "kernels/dotprod/panel.h"

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/dotprod/vectors.h"

namespace armature::kernels::dotprod {
namespace {

/// Stretch of k after which sums go to memory: a slab of it and four rows of activations lie in a first-level
/// cache of 32 KiB.
constexpr std::size_t kStretch = 1024;

constexpr std::size_t kVectors = kSlabRows / 4;

/// kRows rows of activations, from `codes` on.
struct Activations {
  const std::int8_t* codes;
  const float* steps;
  const std::int16_t* sums;
};

Activations activations(const Operand& x, std::size_t row) {
  return {x.codes + row * x.codes_stride, x.steps + row * x.steps_stride, x.sums + row * x.sums_stride};
}

/// dots[r][j] += products of 16 codes of row r with those of the slab's rows 4j to 4j + 3.
template <std::size_t kRows>
inline void add_dots(const std::int8_t* w, const std::int8_t* x, std::size_t stride,
                     int32x4_t (&dots)[kRows][kVectors]) {
  int8x16_t codes[kRows];
  for (std::size_t r = 0; r < kRows; ++r) codes[r] = vld1q_s8(x + r * stride);
  const auto add_four = [&]<int kLane>() {
    for (std::size_t j = 0; j < kVectors; ++j) {
      const int8x16_t four = vld1q_s8(w + (kLane * kVectors + j) * 16);
      for (std::size_t r = 0; r < kRows; ++r) dots[r][j] = vdotq_laneq_s32(dots[r][j], four, codes[r], kLane);
    }
  };
  add_four.template operator()<0>();
  add_four.template operator()<1>();
  add_four.template operator()<2>();
  add_four.template operator()<3>();
}

template <std::size_t kRows>
inline void clear(int32x4_t (&v)[kRows][kVectors]) {
  for (auto& row : v)
    for (auto& vector : row) vector = vdupq_n_s32(0);
}

template <bool kMinimum>
struct Kind32 {
  using Block = SlabBlock32<kMinimum>;
  static constexpr std::size_t kLength = 32;

  template <std::size_t kRows>
  static void add(const Block& w, const Operand& strides, Activations x, std::size_t at,
                  float32x4_t (&totals)[kRows][kVectors]) {
    int32x4_t dots[kRows][kVectors];
    clear(dots);
    add_dots<kRows>(w.codes, x.codes + at * 32, strides.codes_stride, dots);
    add_dots<kRows>(w.codes + 16 * kSlabRows, x.codes + at * 32 + 16, strides.codes_stride, dots);
    for (std::size_t r = 0; r < kRows; ++r) {
      const float step = x.steps[r * strides.steps_stride + at];
      for (std::size_t j = 0; j < kVectors; ++j)
        totals[r][j] = vfmaq_f32(totals[r][j], vcvtq_f32_s32(dots[r][j]),
                                 vmulq_n_f32(vld1q_f32(w.scales + 4 * j), step));
      if constexpr (kMinimum) {
        const std::int16_t* sums = x.sums + r * strides.sums_stride + 2 * at;
        const float scaled_sum = step * static_cast<float>(sums[0] + sums[1]);
        for (std::size_t j = 0; j < kVectors; ++j)
          totals[r][j] = vfmaq_n_f32(totals[r][j], vld1q_f32(w.minima + 4 * j), scaled_sum);
      }
    }
  }
};

/// total += sums of codes 0 to 7 times the minima of 8 sub-blocks.
inline void add_minima(const std::int16_t (*minima)[kSlabRows], int16x8_t sums,
                       int32x4_t (&total)[kVectors]) {
  const auto add = [&]<int kLane>() {
    const int16x8_t rows = vld1q_s16(minima[kLane]);
    total[0] = vmlal_laneq_s16(total[0], vget_low_s16(rows), sums, kLane);
    total[1] = vmlal_high_laneq_s16(total[1], rows, sums, kLane);
  };
  add.template operator()<0>();
  add.template operator()<1>();
  add.template operator()<2>();
  add.template operator()<3>();
  add.template operator()<4>();
  add.template operator()<5>();
  add.template operator()<6>();
  add.template operator()<7>();
}

template <int kSub, bool kMinimum>
struct Kind256 {
  using Block = SlabBlock256<kSub, kMinimum>;
  static constexpr std::size_t kLength = 256;

  template <std::size_t kRows>
  static void add(const Block& w, const Operand& strides, Activations x, std::size_t at,
                  float32x4_t (&totals)[kRows][kVectors]) {
    int32x4_t sums[kRows][kVectors];
    clear(sums);
    for (int sub = 0; sub < Block::kSubs; ++sub) {
      int32x4_t dots[kRows][kVectors];
      clear(dots);
      for (int i = sub * kSub; i < (sub + 1) * kSub; i += 16)
        add_dots<kRows>(w.codes + i * static_cast<int>(kSlabRows), x.codes + at * 256 + i,
                        strides.codes_stride, dots);
      for (std::size_t j = 0; j < kVectors; ++j) {
        const int32x4_t scales = vld1q_s32(w.scales[sub] + 4 * j);
        for (std::size_t r = 0; r < kRows; ++r) sums[r][j] = vmlaq_s32(sums[r][j], dots[r][j], scales);
      }
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const float step = x.steps[r * strides.steps_stride + at];
      for (std::size_t j = 0; j < kVectors; ++j)
        totals[r][j] =
            vfmaq_f32(totals[r][j], vcvtq_f32_s32(sums[r][j]), vmulq_n_f32(vld1q_f32(w.d + 4 * j), step));
      if constexpr (kMinimum) take_minima(w, x.sums + r * strides.sums_stride + at * 16, step, totals[r]);
    }
  }

  /// Subtracts what the minima make of one row's sums of codes.
  static void take_minima(const Block& w, const std::int16_t* sums, float step,
                          float32x4_t (&totals)[kVectors]) {
    int32x4_t minima[kVectors] = {vdupq_n_s32(0), vdupq_n_s32(0)};
    const int16x8_t first = vld1q_s16(sums), second = vld1q_s16(sums + 8);
    if constexpr (kSub == 32) {
      add_minima(w.minima, vpaddq_s16(first, second), minima);
    } else {
      add_minima(w.minima, first, minima);
      add_minima(w.minima + 8, second, minima);
    }
    for (std::size_t j = 0; j < kVectors; ++j)
      totals[j] =
          vfmsq_f32(totals[j], vcvtq_f32_s32(minima[j]), vmulq_n_f32(vld1q_f32(w.dmin + 4 * j), step));
  }
};

/// y[0 .. n - 1] = totals, or += totals.
void put_outputs(float* y, const float32x4_t (&totals)[kVectors], std::size_t n, bool add) {
  float values[kSlabRows];
  for (std::size_t j = 0; j < kVectors; ++j) vst1q_f32(values + 4 * j, totals[j]);
  for (std::size_t j = 0; j < n; ++j) y[j] = add ? y[j] + values[j] : values[j];
}

/// Blocks `begin` to `end` of one slab with kRows rows of x from `row` on.
template <class Kind, std::size_t kRows>
void add_stretch(const PanelArgs& a, std::size_t slab, std::size_t row, std::size_t begin, std::size_t end) {
  const auto* blocks = reinterpret_cast<const typename Kind::Block*>(a.panel) + slab * (a.k / Kind::kLength);
  const Activations x = activations(a.x, row);
  float32x4_t totals[kRows][kVectors];
  for (auto& of_row : totals)
    for (auto& total : of_row) total = vdupq_n_f32(0);
  for (std::size_t at = begin; at < end; ++at) Kind::template add<kRows>(blocks[at], a.x, x, at, totals);
  const std::size_t column = slab * kSlabRows, left = a.n - column;
  for (std::size_t r = 0; r < kRows; ++r)
    put_outputs(a.y + (row + r) * a.y_stride + column, totals[r], left < kSlabRows ? left : kSlabRows,
                begin > 0);
}

template <class Kind>
void product(const PanelArgs& a) {
  const std::size_t n_blocks = a.k / Kind::kLength, n_stretch = kStretch / Kind::kLength;
  for (std::size_t begin = 0; begin < n_blocks; begin += n_stretch) {
    const std::size_t end = n_blocks - begin < n_stretch ? n_blocks : begin + n_stretch;
    in_groups_of_four(a.m, [&]<std::size_t kRows>(std::size_t row) {
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
