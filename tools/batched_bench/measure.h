#pragma once

#include <optional>
#include <vector>

#include "tools/batched_bench/case.h"
#include "tools/batched_bench/work.h"
#include "tools/bench/measure.h"

namespace armature::tools::batched {

using bench::NanosecondClock;
using bench::nanoseconds;

/// The times of one repetition, of all sequences together.
struct Times {
  nanoseconds prompt{0}, generation{0};
};

/// What was measured of a row.
struct Measurement {
  std::vector<Times> repetitions;
  std::size_t n_pages = 0;  // of the cache, at the end
};

/// Nothing when the work was interrupted. What empties and shares sequences is not timed.
std::optional<Measurement> measure(Work& work, const Case& row, const Mode& mode, std::size_t repetitions,
                                   const NanosecondClock& now);

/// How long `phase` takes, which returns false when it was interrupted; nothing then.
template <class Phase>
std::optional<nanoseconds> timed(const NanosecondClock& now, Phase phase) {
  const nanoseconds start = now();
  if (!phase()) return std::nullopt;
  return now() - start;
}

}  // namespace armature::tools::batched
