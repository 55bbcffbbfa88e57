#include "engine/scratch.h"

#include <algorithm>
#include <utility>

#include "engine/linear.h"

namespace armature {

namespace {

constexpr std::size_t kLine = 64;  // buffers begin on a cache line; panels must

constexpr std::size_t lines(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

std::size_t largest_panel(const Weights& weights) {
  std::size_t bytes = panel_bytes(weights.output);
  for (const LayerWeights& w : weights.layers) {
    for (const Matrix* m : w.matrices()) bytes = std::max(bytes, panel_bytes(*m));
  }
  return lines(bytes);
}

}  // namespace

/// Gives every buffer its place; take(n_bytes) returns where the next one begins.
template <class Take>
void Scratch::carve(const ModelConfig& c, const Weights& weights, std::size_t max_rows, std::size_t n_threads,
                    Take take) {
  const auto floats = [&](std::size_t n) { return reinterpret_cast<float*>(take(n * sizeof(float))); };
  std::size_t most_grouped = 1;
  q_width = k_width = v_width = ff_width = 0;
  std::size_t heads_width = 0;
  for (std::size_t i = 0; i < c.n_layer; ++i) {
    q_width = std::max(q_width, c.n_head[i] * c.head_dim_k);
    k_width = std::max(k_width, c.n_head_kv[i] * c.head_dim_k);
    v_width = std::max(v_width, c.n_head_kv[i] * c.head_dim_v);
    heads_width = std::max(heads_width, c.n_head[i] * c.head_dim_v);
    ff_width = std::max<std::size_t>(ff_width, c.n_ff[i]);
    most_grouped = std::max<std::size_t>(most_grouped, c.n_head[i] / c.n_head_kv[i]);
  }
  x = floats(max_rows * c.n_embd);
  branch = floats(max_rows * c.n_embd);
  q = floats(max_rows * q_width);
  k = floats(max_rows * k_width);
  v = floats(max_rows * v_width);
  gate = floats(max_rows * ff_width);
  up = floats(max_rows * ff_width);
  cos = floats(max_rows * c.n_rot / 2);
  sin = floats(max_rows * c.n_rot / 2);

  const std::size_t widest = std::max({c.n_embd, heads_width, ff_width});
  std::byte* const rows = take(Activations::bytes(max_rows, widest));
  if (rows != nullptr) activations = Activations(rows, max_rows, widest);

  panel_bytes_ = largest_panel(weights);
  panels_ = take(n_threads * panel_bytes_);
  n_queries_ = std::max(kQueryBlock, most_grouped);
  head_dim_k_ = c.head_dim_k;
  head_dim_v_ = c.head_dim_v;
  static_assert(sizeof(float) == sizeof(std::int32_t));
  attention_floats_ = lines(n_queries_ * (head_dim_k_ + head_dim_v_ + 4) * sizeof(float)) / sizeof(float);
  attention_ = floats(n_threads * attention_floats_);
}

std::size_t Scratch::bytes(const ModelConfig& config, const Weights& weights, std::size_t max_rows,
                           std::size_t n_threads) {
  std::size_t total = 0;
  Scratch shape;
  shape.carve(config, weights, max_rows, n_threads, [&](std::size_t bytes) -> std::byte* {
    total += lines(bytes);
    return nullptr;
  });
  return total + config.n_vocab * sizeof(float);  // logits of one row; more are committed when asked for
}

Scratch::Scratch(const ModelConfig& config, const Weights& weights, std::size_t max_rows,
                 std::size_t n_threads)
    : memory_(bytes(config, weights, max_rows, n_threads), "scratch"),
      logits_memory_(max_rows * config.n_vocab * sizeof(float), "logits") {
  std::byte* next = memory_.data();
  carve(config, weights, max_rows, n_threads,
        [&](std::size_t bytes) { return std::exchange(next, next + lines(bytes)); });
  logits = reinterpret_cast<float*>(logits_memory_.data());
}

AttentionScratch Scratch::attention(std::size_t thread) const {
  float* at = attention_ + thread * attention_floats_;
  AttentionScratch s{};
  s.n_queries = n_queries_;
  s.q = at;
  s.acc = s.q + n_queries_ * head_dim_k_;
  s.max = s.acc + n_queries_ * head_dim_v_;
  s.sum = s.max + n_queries_;
  s.lo = reinterpret_cast<std::int32_t*>(s.sum + n_queries_);
  s.hi = s.lo + n_queries_;
  return s;
}

}  // namespace armature
