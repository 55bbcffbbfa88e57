#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// What batched-bench times. Names of its columns: PP, TG, B, N_KV.
namespace armature::tools::batched {

/// One row of the table.
struct Case {
  std::size_t n_prompt = 0, n_gen = 0;  // tokens of each sequence
  std::size_t n_sequences = 1;

  bool operator==(const Case&) const = default;
};

/// The lists of values of which every combination is a row.
struct Lists {
  std::vector<std::size_t> n_prompt, n_gen, n_sequences;
};
/// In llama-batched-bench's order: as nested loops, the first list outermost.
std::vector<Case> list_cases(const Lists& lists);

/// How all rows are run.
struct Mode {
  bool shared_prompt = false;  // one prompt, processed once, whose pages all sequences share
  bool one_by_one = false;     // generation of one sequence after the other
};

/// Tokens that are processed, each of which takes a cell of the cache.
std::size_t prompt_tokens(const Case& row, const Mode& mode);
std::size_t generated_tokens(const Case& row);
std::size_t cells_needed(const Case& row, const Mode& mode);

/// The largest number of sequences in those of the rows that n_ctx cells hold, or in any of them if n_ctx is
/// 0. At least 1.
std::size_t most_sequences(std::span<const Case> rows, const Mode& mode, std::size_t n_ctx);
/// Sequences that a decoder counts with, so that n of ours have room for every page that they leave partly
/// empty: the last one of each and, of a shared prompt, each one's copy of the prompt's last page.
std::size_t counted_sequences(std::size_t n, const Mode& mode);

}  // namespace armature::tools::batched
