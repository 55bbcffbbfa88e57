#pragma once

#include <cstddef>
#include <cstdint>

/// Argument structs of the kernels. With gguf/blocks.h the only project header that an ISA folder includes:
/// plain data, no functions, no standard library beyond these two headers. m = rows of activations (tokens),
/// n = rows of weights (outputs), k = inner length. Buffers may be unaligned unless said otherwise; kernels
/// never throw, allocate, lock, log or start threads, and write nothing but their outputs.
namespace armature::kernels {

/// The form to which activations are rounded before a product; docs/numerics.md defines each.
enum class Form : std::uint8_t {
  F32,     // as they are
  Q8_32,   // int8 codes, one f32 step for each 32 values
  Q8_256,  // int8 codes, one f32 step for each 256 values
};

/// m rows of activations in one form. codes and the rest are null for F32, values is null for the others.
struct Operand {
  const float* values;        // F32: [m, k]
  const std::int8_t* codes;   // Q8_B: [m, k], -127 to 127
  const float* steps;         // Q8_B: [m, k / B]; value = code * step
  const std::int16_t* sums;   // Q8_B: [m, k / 16] sums of 16 codes each
  std::size_t values_stride;  // elements from row to row, each
  std::size_t codes_stride;
  std::size_t steps_stride;
  std::size_t sums_stride;
};

/// y[m, n] = x[m, k] * w[n, k]^T, w in quantized blocks where they lie in the file.
struct MatmulArgs {
  float* y;  // [m, n], y_stride elements from row to row
  std::size_t y_stride;
  Operand x;
  const std::uint8_t* w;  // n rows of k / block_size blocks, w_stride bytes from row to row, any alignment
  std::size_t w_stride;
  std::size_t m, n, k;  // k is a multiple of the weight type's block size
};

/// Rounds m rows of f32 to an int8 form. The outputs are laid out as in Operand, and are the same bits on
/// every ISA. For each block of 32 or 256, with amax the largest |x| by its bits as an integer (so NaN >
/// infinity > the rest):
///   amax not finite: step = NaN, codes 0;
///   amax < kSmallestRounded: step = 0, codes 0;
///   else: step = amax / 127, codes = x * (127 / amax), to the nearest integer, ties to even; each of the
///   three operations rounded to f32.
struct RoundArgs {
  const float* x;  // [m, k]
  std::size_t x_stride;
  std::int8_t* codes;
  float* steps;
  std::int16_t* sums;
  std::size_t codes_stride, steps_stride, sums_stride;
  std::size_t m, k;  // k is a multiple of 32 (Q8_32) or 256 (Q8_256)
};

/// Unpacks n <= n_tile rows of weights into one panel. Rows from n to n_tile are zero in the panel.
struct UnpackArgs {
  std::uint8_t* panel;  // panel_bytes(k) bytes, 64-byte aligned; its layout is the row's own business
  const std::uint8_t* w;
  std::size_t w_stride;  // bytes
  std::size_t n, k;
};

/// y[m, n] = x[m, k] * (the n rows of a panel)^T, n <= n_tile.
struct PanelArgs {
  float* y;
  std::size_t y_stride;
  Operand x;
  const std::uint8_t* panel;
  std::size_t m, n, k;
};

/// weights[k] as f32, exactly the values that the format defines, rounded once.
struct DequantizeArgs {
  float* out;
  const std::uint8_t* blocks;
  std::size_t k;
};

/// out[m, n] = norm(x[m, n]) * weight[n] (+ bias[n]). out may be x.
struct NormArgs {
  float* out;
  std::size_t out_stride;
  const float* x;
  std::size_t x_stride;
  const float* weight;
  const float* bias;  // layer norm only; may be null
  std::size_t m, n;
  float eps;
};

/// Turns the first n_rot elements of each of n_heads heads by the row's angles, in place.
struct RopeArgs {
  float* x;          // n_heads heads of head_dim, one after the other
  const float* cos;  // [n_rot / 2], magnitude included
  const float* sin;  // [n_rot / 2]
  std::size_t n_heads, head_dim, n_rot;
};

/// out[i] = act(gate[i]) * up[i]; without up (null): out[i] = act(gate[i]). out may be gate or up.
struct ActivationArgs {
  float* out;
  const float* gate;
  const float* up;
  std::size_t n;
};

/// In place: x = exp(x - max(x)) / sum.
struct SoftmaxArgs {
  float* x;
  std::size_t n;
};

/// n f32 values to another element type of the KV cache.
struct StoreArgs {
  void* out;
  const float* x;
  std::size_t n;
};

/// One tile of keys and values of one KV head, for all queries that look at it. The state (max, sum, acc)
/// runs over the tiles of a sequence in order: begin with max = -infinity, sum = 0, acc = 0; at the end out =
/// acc / sum. Each query's arithmetic depends on its own q, lo and hi only, never on the other queries.
struct AttentionArgs {
  const float* q;  // [n_q, head_dim_k], scaled already
  std::size_t q_stride;
  const void* k;  // [n_keys, head_dim_k] in the row's K type; k_stride elements from key to key
  const void* v;  // [n_keys, head_dim_v] in the row's V type
  std::size_t k_stride, v_stride;
  const std::int32_t*
      lo;  // [n_q] visible keys of this tile are lo <= key < hi; lo >= hi: the query skips the tile
  const std::int32_t* hi;  // [n_q]
  float* max;              // [n_q]
  float* sum;              // [n_q]
  float* acc;              // [n_q, head_dim_v]
  std::size_t acc_stride;
  std::size_t n_q, n_keys;  // n_keys <= kMaxTileKeys
  std::size_t head_dim_k, head_dim_v;
  float softcap;  // > 0: score = softcap * tanh(score / softcap); 0: none
};

/// Multiply-adds and nothing else, to see how fast a core can do them: in each of `rounds` every accumulator
/// of the row takes one more instruction's products of a and b, which stay in registers.
struct PeakArgs {
  // kPeakOperandBytes each, 64-byte aligned, of the element type that the row multiplies.
  const void* a;       // whole numbers in -8..8 that repeat after four elements
  const void* b;       // one whole number in 1..8 throughout: in no order of the elements do products differ
  std::size_t rounds;  // a multiple of 4, at most kMaxPeakRounds: all sums are exact
};
struct PeakResult {
  double sum;            // of all accumulators: multiply_adds * mean(a) * b
  double multiply_adds;  // that were done
};
inline constexpr std::size_t kPeakOperandBytes = 1024;  // a tile, and more than any vector
inline constexpr std::size_t kMaxPeakRounds = 1 << 13;

/// Memory read once from end to end.
struct ReadArgs {
  const std::uint64_t* words;  // 64-byte aligned
  std::size_t n;               // a multiple of kReadWords
};
inline constexpr std::size_t kReadWords = 128;

inline constexpr std::size_t kMaxTileKeys = 64;
inline constexpr float kSmallestRounded = 0x1p-100f;  // keeps step and 127 / amax away from denormals

using MatmulFn = void(const MatmulArgs&) noexcept;
using RoundFn = void(const RoundArgs&) noexcept;
using UnpackFn = void(const UnpackArgs&) noexcept;
using PanelFn = void(const PanelArgs&) noexcept;
using PanelBytesFn = std::size_t(std::size_t k) noexcept;
using DequantizeFn = void(const DequantizeArgs&) noexcept;
using NormFn = void(const NormArgs&) noexcept;
using RopeFn = void(const RopeArgs&) noexcept;
using ActivationFn = void(const ActivationArgs&) noexcept;
using SoftmaxFn = void(const SoftmaxArgs&) noexcept;
using StoreFn = void(const StoreArgs&) noexcept;
using AttentionFn = void(const AttentionArgs&) noexcept;
using PeakFn = PeakResult(const PeakArgs&) noexcept;
using ReadFn = std::uint64_t(const ReadArgs&) noexcept;  // all words, exclusive-ored

}  // namespace armature::kernels
