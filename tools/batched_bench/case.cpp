#include "tools/batched_bench/case.h"

#include <algorithm>

namespace armature::tools::batched {

std::vector<Case> list_cases(const Lists& lists) {
  std::vector<Case> rows;
  for (const std::size_t n_prompt : lists.n_prompt)
    for (const std::size_t n_gen : lists.n_gen)
      for (const std::size_t n_sequences : lists.n_sequences) rows.push_back({n_prompt, n_gen, n_sequences});
  return rows;
}

std::size_t prompt_tokens(const Case& row, const Mode& mode) {
  return mode.shared_prompt ? row.n_prompt : row.n_sequences * row.n_prompt;
}

std::size_t generated_tokens(const Case& row) { return row.n_sequences * row.n_gen; }

std::size_t cells_needed(const Case& row, const Mode& mode) {
  return prompt_tokens(row, mode) + generated_tokens(row);
}

std::size_t most_sequences(std::span<const Case> rows, const Mode& mode, std::size_t n_ctx) {
  std::size_t most = 1;
  for (const Case& row : rows) {
    if (n_ctx == 0 || cells_needed(row, mode) <= n_ctx) most = std::max(most, row.n_sequences);
  }
  return most;
}

std::size_t counted_sequences(std::size_t n, const Mode& mode) { return mode.shared_prompt ? 2 * n : n; }

}  // namespace armature::tools::batched
