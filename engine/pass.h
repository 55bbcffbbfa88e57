#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/config.h"
#include "engine/kv_cache.h"
#include "engine/linear.h"
#include "engine/operations.h"
#include "engine/rope.h"
#include "engine/scratch.h"
#include "engine/token.h"
#include "engine/weights.h"

namespace armature {

/// One row of a forward pass, its sequence's pages looked up.
struct PassRow {
  TokenId token;
  std::size_t position;
  const PageId* pages;  // of its sequence, for positions up to its own
};

/// Rows [first, first + n) are of one sequence and follow each other in position; attention takes them
/// together.
struct RowBlock {
  std::size_t first, n;
};

/// What all phases of one forward pass share. Read-only but for the buffers of the scratch and the cells of
/// the cache.
struct Pass {
  const ModelConfig& config;
  const Weights& weights;
  const Operations& ops;
  const Rope& rope;
  const KvCache& cache;
  const Scratch& scratch;
  std::span<const PassRow> rows;
  std::span<const RowBlock> blocks;
  std::span<const std::size_t> logit_rows;  // indices of the rows that want logits
  Regime regime;                            // of the layers' products
  Regime logits_regime;                     // of the output product, which has logit_rows.size() rows

  std::size_t m() const { return rows.size(); }
};

/// x += branch, for one row.
void add_branch(const Pass& pass, std::size_t row) noexcept;
/// activations[to] = norm(x[row]), rounded to `forms`.
void norm_row(const Pass& pass, std::size_t row, std::size_t to, const std::vector<float>& weight,
              FormSet forms) noexcept;

}  // namespace armature
