#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/batched_bench/measure.h"
#include "tools/batched_bench/table.h"

namespace armature::tools::batched {

/// Counts up when what is timed, or how a number follows from it, changes.
inline constexpr int kMethod = 1;

/// A row that was measured. All that is printed follows from it and from what holds for all rows.
struct Result {
  Case row;
  std::size_t n_kv = 0;  // cells that the row needs; of a sweep's: tokens in the cache before
  std::size_t n_prompt_tokens = 0, n_gen_tokens = 0;  // that were processed, of all sequences
  Measurement measured = {};
  std::uint64_t peak_rss = 0;  // bytes, of the process so far; 0: the system does not say
};
Result result_of(const Case& row, const Mode& mode, Measurement measured);

/// The columns of llama-batched-bench. Times are means over the repetitions, speeds all tokens over these;
/// with several repetitions there follow the standard deviations of the repetitions' speeds.
std::vector<Cell> cells_of(const Result& result);
/// Those of sweep-bench; with_memory: and of its --sweep-memory.
std::vector<Cell> sweep_cells_of(const Result& result, bool with_memory);

/// What is told under "x" beside the results of a row.
struct Origin {
  std::string model_file, model_name, model_hash;
  std::string host;  // its fingerprint
};
std::string details_json(const Result& result, const Settings& settings, const Origin& origin);

}  // namespace armature::tools::batched
