#include "engine/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace armature {

namespace {

/// What q is multiplied by at a position: the scale of the scores, and the architecture's temperature.
float query_scale(const ModelConfig& c, std::size_t position) {
  if (c.temperature_scale == 0) return c.attention_scale();
  const double periods = static_cast<double>(position / c.rope_scaling.n_ctx_original);
  return static_cast<float>(c.attention_scale() * (1 + c.temperature_scale * std::log(periods + 1)));
}

void turn(const Pass& pass, float* heads, std::size_t n_heads, std::size_t row) noexcept {
  const std::size_t n_pairs = pass.rope.n_pairs();
  pass.ops.rope->run({.x = heads,
                      .cos = pass.scratch.cos + row * n_pairs,
                      .sin = pass.scratch.sin + row * n_pairs,
                      .n_heads = n_heads,
                      .head_dim = pass.config.head_dim_k,
                      .n_rot = pass.config.n_rot});
}

/// RoPE on a row's q and k, the scale on its q, its k and v into the cache.
void place_row(const Pass& pass, std::size_t layer, std::size_t row) noexcept {
  const ModelConfig& c = pass.config;
  const Scratch& s = pass.scratch;
  const std::size_t n_head = c.n_head[layer], n_head_kv = c.n_head_kv[layer],
                    position = pass.rows[row].position;
  float* q = s.q + row * s.q_width;
  float* k = s.k + row * s.k_width;
  const float* v = s.v + row * s.v_width;
  turn(pass, q, n_head, row);
  turn(pass, k, n_head_kv, row);
  const float scale = query_scale(c, position);
  for (std::size_t i = 0; i < n_head * c.head_dim_k; ++i) q[i] *= scale;

  const PageId page = pass.rows[row].pages[position / kPageCells];
  const std::size_t cell = position % kPageCells;
  for (std::size_t h = 0; h < n_head_kv; ++h) {
    pass.ops.store_k->run({.out = pass.cache.k(page, layer, h) + cell * pass.cache.layout().k_row_bytes,
                           .x = k + h * c.head_dim_k,
                           .n = c.head_dim_k});
    pass.ops.store_v->run({.out = pass.cache.v(page, layer, h) + cell * pass.cache.layout().v_row_bytes,
                           .x = v + h * c.head_dim_v,
                           .n = c.head_dim_v});
  }
}

/// The first position that a query at `position` sees: with a window of W positions, key j is hidden from it
/// when position - j >= W.
std::size_t first_visible(std::size_t position, std::size_t window) {
  return window == 0 || position < window ? 0 : position - window + 1;
}

/// The queries of one KV head in a block of rows: query i is head first_head + i % group of row block.first +
/// i / group.
struct Queries {
  const Pass& pass;
  RowBlock block;
  std::size_t layer, kv_head, group;
  AttentionScratch state;

  std::size_t count() const { return block.n * group; }
  std::size_t row(std::size_t i) const { return block.first + i / group; }
  std::size_t head(std::size_t i) const { return kv_head * group + i % group; }

  void begin() const noexcept {
    const ModelConfig& c = pass.config;
    const Scratch& s = pass.scratch;
    for (std::size_t i = 0; i < count(); ++i) {
      std::memcpy(state.q + i * c.head_dim_k, s.q + row(i) * s.q_width + head(i) * c.head_dim_k,
                  c.head_dim_k * sizeof(float));
    }
    std::fill_n(state.max, count(), -std::numeric_limits<float>::infinity());
    std::fill_n(state.sum, count(), 0.0f);
    std::fill_n(state.acc, count() * c.head_dim_v, 0.0f);
  }

  /// Page `page` of the sequence, for the queries that see some of its positions.
  void look_at(std::size_t page) const noexcept {
    const ModelConfig& c = pass.config;
    const auto within = [&](std::size_t position) {
      const std::size_t first = page * kPageCells;
      return static_cast<std::int32_t>(std::clamp(position, first, first + kPageCells) - first);
    };
    std::int32_t n_keys = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      const std::size_t position = pass.rows[row(i)].position;
      state.lo[i] = within(first_visible(position, c.n_swa[layer]));
      state.hi[i] = within(position + 1);
      n_keys = std::max(n_keys, state.hi[i]);
    }
    const PageId id = pass.rows[block.first].pages[page];
    pass.ops.attention->run({.q = state.q,
                             .q_stride = c.head_dim_k,
                             .k = pass.cache.k(id, layer, kv_head),
                             .v = pass.cache.v(id, layer, kv_head),
                             .k_stride = c.head_dim_k,
                             .v_stride = c.head_dim_v,
                             .lo = state.lo,
                             .hi = state.hi,
                             .max = state.max,
                             .sum = state.sum,
                             .acc = state.acc,
                             .acc_stride = c.head_dim_v,
                             .n_q = count(),
                             .n_keys = static_cast<std::size_t>(n_keys),
                             .head_dim_k = c.head_dim_k,
                             .head_dim_v = c.head_dim_v,
                             .softcap = 0.0f});
  }

  /// The weighted sums of v into the activations, heads side by side.
  void end() const noexcept {
    const std::size_t width = pass.config.head_dim_v;
    for (std::size_t i = 0; i < count(); ++i) {
      float* out = pass.scratch.activations.row(row(i)) + head(i) * width;
      for (std::size_t j = 0; j < width; ++j) out[j] = state.acc[i * width + j] / state.sum[i];
    }
  }
};

/// Each page from the first that the first row of the block sees, which sees furthest back, to the last
/// row's.
void attend(const Queries& queries) noexcept {
  const Pass& pass = queries.pass;
  const PassRow& front = pass.rows[queries.block.first];
  const PassRow& back = pass.rows[queries.block.first + queries.block.n - 1];
  const std::size_t first = first_visible(front.position, pass.config.n_swa[queries.layer]);
  queries.begin();
  for (std::size_t page = first / kPageCells; page <= back.position / kPageCells; ++page) {
    queries.look_at(page);
  }
  queries.end();
}

}  // namespace

void attention(const Pass& pass, Team::Worker& worker, std::size_t layer) noexcept {
  const ModelConfig& c = pass.config;
  const Scratch& s = pass.scratch;
  const LayerWeights& w = pass.weights.layers[layer];
  const Product qkv[] = {
      {&w.attn_q, s.q, s.q_width}, {&w.attn_k, s.k, s.k_width}, {&w.attn_v, s.v, s.v_width}};
  multiply(worker, qkv, s.activations, pass.m(), pass.regime, s.panels(worker.index()));
  worker.for_each(pass.m(), [&](std::size_t row) { place_row(pass, layer, row); });

  const std::size_t n_head_kv = c.n_head_kv[layer], group = c.n_head[layer] / n_head_kv;
  worker.for_each(pass.blocks.size() * n_head_kv, [&](std::size_t i) {
    attend({pass, pass.blocks[i / n_head_kv], layer, i % n_head_kv, group, s.attention(worker.index())});
  });

  const FormSet forms = forms_of({&w.attn_output}, pass.regime);
  worker.for_each(pass.m(),
                  [&](std::size_t row) { s.activations.round(row, w.attn_output.k, forms, pass.ops); });
  const Product output[] = {{&w.attn_output, s.branch, c.n_embd}};
  multiply(worker, output, s.activations, pass.m(), pass.regime, s.panels(worker.index()));
}

}  // namespace armature
