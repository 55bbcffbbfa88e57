#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/dotprod/codes.h"
#include "kernels/dotprod/q8_256.h"
#include "kernels/dotprod/vectors.h"

/// Panels of int8 codes. A panel is two slabs of 8 rows of weights, a slab a list of blocks along k. Its
/// codes come four by four: the four codes from 4i on of rows 0..3, of rows 4..7, then those from 4i + 4 on,
/// and so forth, so that a vector of them and a lane of activations make one dot product instruction.
namespace armature::kernels::dotprod {
namespace {

inline constexpr std::size_t kSlabRows = 8, kSlabs = 2;
inline constexpr std::size_t kPanelRows = kSlabRows * kSlabs;

/// 32 weights of each row, for form Q8_32: scale * code + minimum.
template <bool kMinimum>
struct SlabBlock32 {
  float scales[kSlabRows];
  std::int8_t codes[kSlabRows * 32];
};
template <>
struct SlabBlock32<true> {
  float scales[kSlabRows];
  float minima[kSlabRows];
  std::int8_t codes[kSlabRows * 32];
};

/// 256 weights of each row, for form Q8_256: d * scale * code - dmin * minimum, with scale and minimum by
/// sub-blocks of kSub.
template <int kSub, bool kMinimum>
struct SlabBlock256 {
  static constexpr std::size_t kSubs = 256 / kSub;
  float d[kSlabRows];
  float dmin[kSlabRows];
  std::int32_t scales[kSubs][kSlabRows];
  std::int16_t minima[kMinimum ? kSubs : 1][kSlabRows];
  std::int8_t codes[kSlabRows * 256];
};

/// 16 codes of each of 8 rows, in the order of a slab. The rows are 32 codes apart.
inline void interleave_16(const std::int8_t* rows, std::int8_t* out) {
  for (std::size_t first = 0; first < kSlabRows; first += 4) {
    int32x4_t row[4];
    for (std::size_t r = 0; r < 4; ++r) row[r] = vreinterpretq_s32_s8(vld1q_s8(rows + (first + r) * 32));
    const int64x2_t even_ab = vreinterpretq_s64_s32(vtrn1q_s32(row[0], row[1]));
    const int64x2_t odd_ab = vreinterpretq_s64_s32(vtrn2q_s32(row[0], row[1]));
    const int64x2_t even_cd = vreinterpretq_s64_s32(vtrn1q_s32(row[2], row[3]));
    const int64x2_t odd_cd = vreinterpretq_s64_s32(vtrn2q_s32(row[2], row[3]));
    const int64x2_t columns[4] = {vtrn1q_s64(even_ab, even_cd), vtrn1q_s64(odd_ab, odd_cd),
                                  vtrn2q_s64(even_ab, even_cd), vtrn2q_s64(odd_ab, odd_cd)};
    for (std::size_t i = 0; i < 4; ++i)
      vst1q_s8(out + i * 4 * kSlabRows + first * 4, vreinterpretq_s8_s64(columns[i]));
  }
}

/// The same for 32 codes of each.
inline void interleave(const std::int8_t (&rows)[kSlabRows][32], std::int8_t* out) {
  interleave_16(rows[0], out);
  interleave_16(rows[0] + 16, out + 16 * kSlabRows);
}

/// Calls unpack(slab block, bytes of that block of the slab's first row, rows of the slab that there are) for
/// every block of a panel. SlabBlock has kLength weights of a row, which take kBytes.
template <class SlabBlock, std::size_t kLength, std::size_t kBytes, class Unpack>
inline void unpack_slabs(const UnpackArgs& a, Unpack unpack) {
  auto* block = reinterpret_cast<SlabBlock*>(a.panel);
  for (std::size_t first = 0; first < kPanelRows; first += kSlabRows) {
    const std::size_t left = a.n > first ? a.n - first : 0;
    const std::size_t n_rows = left < kSlabRows ? left : kSlabRows;
    for (std::size_t at = 0; at < a.k / kLength; ++at)
      unpack(*block++, a.w + first * a.w_stride + at * kBytes, n_rows);
  }
}

/// Types of q8_32.h.
template <class Type>
void unpack_q8_32(const UnpackArgs& a) {
  using Block = typename Type::Block;
  using Slab = SlabBlock32<Type::kHasMinimum>;
  unpack_slabs<Slab, 32, sizeof(Block)>(a, [&](Slab& out, const std::uint8_t* w, std::size_t n_rows) {
    std::int8_t rows[kSlabRows][32] = {};
    out = {};
    for (std::size_t row = 0; row < n_rows; ++row) {
      const Block& block = *reinterpret_cast<const Block*>(w + row * a.w_stride);
      store_codes(rows[row], Type::codes(block));
      out.scales[row] = f32_from_f16(block.d);
      if constexpr (Type::kHasMinimum) out.minima[row] = f32_from_f16(block.m);
    }
    interleave(rows, out.codes);
  });
}

/// Run kRun of the blocks that lie `stride` bytes from row to row.
template <class Type, int kRun>
inline void unpack_run(const std::uint8_t* w, std::size_t stride, std::size_t n_rows, std::int8_t* out) {
  std::int8_t rows[kSlabRows][32] = {};
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto& block = *reinterpret_cast<const typename Type::Block*>(w + row * stride);
    store_codes(rows[row], minus(Type::template codes<kRun>(block), Type::kOffset));
  }
  interleave(rows, out + kRun * 32 * kSlabRows);
}

/// out[i][row] = value i
template <int kSub, class Integer>
inline void put_column(const SubScales<kSub>& values, Integer (*out)[kSlabRows], std::size_t row) {
  std::int16_t each[256 / kSub];
  for (std::size_t i = 0; i < 256 / kSub / 8; ++i) vst1q_s16(each + 8 * i, values.of[i]);
  for (std::size_t i = 0; i < 256 / kSub; ++i) out[i][row] = each[i];
}

/// Types of q8_256.h.
template <class Type>
void unpack_q8_256(const UnpackArgs& a) {
  using Block = typename Type::Block;
  using Slab = SlabBlock256<Type::kSub, Type::kHasMinimum>;
  unpack_slabs<Slab, 256, sizeof(Block)>(a, [&](Slab& out, const std::uint8_t* w, std::size_t n_rows) {
    out = {};
    for (std::size_t row = 0; row < n_rows; ++row) {
      const Block& block = *reinterpret_cast<const Block*>(w + row * a.w_stride);
      out.d[row] = f32_from_f16(block.d);
      put_column<Type::kSub>(Type::scales(block), out.scales, row);
      if constexpr (Type::kHasMinimum) {
        out.dmin[row] = f32_from_f16(block.dmin);
        put_column<Type::kSub>(Type::minima(block), out.minima, row);
      }
    }
    repeat<kRuns>([&](auto run) { unpack_run<Type, run>(w, a.w_stride, n_rows, out.codes); });
  });
}

}  // namespace
}  // namespace armature::kernels::dotprod
