#pragma once

#include <cstddef>

#include "engine/activations.h"
#include "engine/config.h"
#include "engine/lazy_memory.h"
#include "engine/weights.h"

namespace armature {

/// Queries of one KV head that attention handles together (unless one row alone has more).
inline constexpr std::size_t kQueryBlock = 64;

/// One thread's work memory for attention: a block of queries and their running state.
struct AttentionScratch {
  float* q;          // [n_queries, head_dim_k]
  float* acc;        // [n_queries, head_dim_v]
  float* max;        // [n_queries]
  float* sum;        // [n_queries]
  std::int32_t* lo;  // [n_queries]
  std::int32_t* hi;  // [n_queries]
  std::size_t n_queries;
};

/// The work memory of a decoder: every buffer that a forward pass of up to max_rows rows writes, sized once.
class Scratch {
 public:
  Scratch(const ModelConfig& config, const Weights& weights, std::size_t max_rows, std::size_t n_threads);
  static std::size_t bytes(const ModelConfig& config, const Weights& weights, std::size_t max_rows,
                           std::size_t n_threads);

  // [max_rows, width] each; the strides are the widths.
  float* x;       // residual stream, n_embd wide
  float* branch;  // what attention or the FFN adds to it, n_embd wide
  float* q;       // q_width
  float* k;       // k_width
  float* v;       // v_width
  float* gate;    // ff_width
  float* up;      // ff_width
  float* cos;     // n_rot / 2 wide
  float* sin;     // n_rot / 2 wide
  float* logits;  // n_vocab wide; committed as rows ask for logits
  Activations activations;
  std::size_t q_width, k_width, v_width, ff_width;

  std::byte* panels(std::size_t thread) const { return panels_ + thread * panel_bytes_; }
  AttentionScratch attention(std::size_t thread) const;

 private:
  Scratch() = default;
  template <class Take>
  void carve(const ModelConfig& config, const Weights& weights, std::size_t max_rows, std::size_t n_threads,
             Take take);

  LazyMemory memory_, logits_memory_;
  std::byte* panels_ = nullptr;
  std::size_t panel_bytes_ = 0;
  float* attention_ = nullptr;
  std::size_t attention_floats_ = 0;  // of one thread
  std::size_t n_queries_ = 0, head_dim_k_ = 0, head_dim_v_ = 0;
};

}  // namespace armature
