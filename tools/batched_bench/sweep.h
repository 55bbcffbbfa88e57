#pragma once

#include <functional>

#include "tools/batched_bench/result.h"

namespace armature::tools::batched {

/// One sequence from an empty context to a full one: at each depth some tokens are generated and forgotten
/// again, then a step of prompt goes in.
struct Sweep {
  std::size_t n_cells = 0;  // of the context
  std::size_t step = 512;   // prompt tokens
  std::size_t n_gen = 128;
  std::size_t stride = 1;  // every how many steps time is measured
  std::size_t repetitions = 1;
};

/// Cells that the cache must have for the step at this depth.
std::size_t cells_needed(const Sweep& sweep, std::size_t depth);

/// Gives the result of each step that is timed to `take`, as long as the context has room. Returns the first
/// depth for which it has none, or nothing when the work was interrupted.
std::optional<std::size_t> run_sweep(Work& work, const Sweep& sweep, const NanosecondClock& now,
                                     const std::function<void(Result)>& take);

}  // namespace armature::tools::batched
