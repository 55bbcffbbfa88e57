#pragma once

#include <algorithm>
#include <cstddef>

namespace armature::tools::bench {

/// Rows [first, end) of one forward pass, and where the chunk ends that they are a part of.
struct PassRows {
  std::size_t first = 0, end = 0, chunk_end = 0;
};

/// Cuts n_rows into chunks of n_batch and these into passes of n_ubatch, and runs `pass` for each in turn.
/// False as soon as one returns false.
template <class Pass>
bool run_passes(std::size_t n_rows, std::size_t n_batch, std::size_t n_ubatch, Pass pass) {
  for (std::size_t chunk = 0; chunk < n_rows; chunk += n_batch) {
    const std::size_t chunk_end = std::min(chunk + n_batch, n_rows);
    for (std::size_t first = chunk; first < chunk_end; first += n_ubatch) {
      if (!pass(PassRows{first, std::min(first + n_ubatch, chunk_end), chunk_end})) return false;
    }
  }
  return true;
}

}  // namespace armature::tools::bench
