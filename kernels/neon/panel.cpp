#include "kernels/neon/panel.h"

#include <arm_neon.h>

#include <cstddef>

#include "kernels/args.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

/// Stretch of k after which sums go to memory: with 8 rows of x, half of a first-level cache of 32 KiB.
constexpr std::size_t kStretch = 256;

constexpr int kVectors = kPanelRows / kLanes;

/// y[0 .. n - 1] = sums, or += sums.
void put_outputs(float* y, const float32x4_t (&sums)[kVectors], std::size_t n, bool add) {
  float whole[kPanelRows];
  float* out = n == kPanelRows ? y : whole;
  for (std::size_t j = 0; n < kPanelRows && j < n; ++j) whole[j] = y[j];
  repeat<kVectors>([&](auto j) {
    vst1q_f32(out + j * kLanes, add ? vaddq_f32(vld1q_f32(out + j * kLanes), sums[j]) : sums[j]);
  });
  for (std::size_t j = 0; n < kPanelRows && j < n; ++j) y[j] = whole[j];
}

/// kRows rows of x from `row` on, with weights `begin` to `end` of each row of the panel. A sum runs through
/// its stretch of k in order, so that it does not depend on kRows. All that
/// it calls is inlined, as only then the sums stay in registers.
template <int kRows>
[[gnu::flatten]] void add_stretch(const PanelArgs& a, std::size_t row, std::size_t begin, std::size_t end) {
  const float* panel = reinterpret_cast<const float*>(a.panel);
  const float* x[kRows];
  float32x4_t sums[kRows][kVectors];
  repeat<kRows>([&](auto r) {
    x[r] = a.x.values + (row + r) * a.x.values_stride;
    repeat<kVectors>([&](auto j) { sums[r][j] = vdupq_n_f32(0); });
  });
  std::size_t i = begin;
  for (; i + kLanes <= end; i += kLanes) {
    float32x4_t four[kRows];
    repeat<kRows>([&](auto r) { four[r] = vld1q_f32(x[r] + i); });
    repeat<kLanes>([&](auto lane) {
      repeat<kVectors>([&](auto j) {
        const float32x4_t w = vld1q_f32(panel + (i + lane) * kPanelRows + j * kLanes);
        repeat<kRows>([&](auto r) { sums[r][j] = vfmaq_laneq_f32(sums[r][j], w, four[r], lane); });
      });
    });
  }
  for (; i < end; ++i)
    repeat<kVectors>([&](auto j) {
      const float32x4_t w = vld1q_f32(panel + i * kPanelRows + j * kLanes);
      repeat<kRows>([&](auto r) { sums[r][j] = vfmaq_n_f32(sums[r][j], w, x[r][i]); });
    });
  repeat<kRows>([&](auto r) { put_outputs(a.y + (row + r) * a.y_stride, sums[r], a.n, begin > 0); });
}

}  // namespace

std::size_t panel_bytes(std::size_t k) noexcept { return k * kPanelRows * sizeof(float); }

void panel_product(const PanelArgs& a) noexcept {
  for (std::size_t begin = 0; begin < a.k; begin += kStretch) {
    const std::size_t end = a.k - begin < kStretch ? a.k : begin + kStretch;
    std::size_t row = 0;
    for (; row + 8 <= a.m; row += 8) add_stretch<8>(a, row, begin, end);
    in_groups_of_four(a.m - row,
                      [&]<int kRows>(std::size_t r) { add_stretch<kRows>(a, row + r, begin, end); });
  }
}

}  // namespace armature::kernels::neon
