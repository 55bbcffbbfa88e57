#pragma once

#include <string>

#include "engine/thread_options.h"
#include "tools/bench/test.h"
#include "tools/placement.h"

namespace armature::tools::bench {

/// The threads of one test.
struct ThreadPlan {
  std::size_t n_threads = 1;
  std::string reason;  // "as asked", "2 CPUs in the affinity mask"
  ThreadOptions options;
};

/// `numa` is a word of --numa, or empty. Throws UsageError for a mask that is malformed or names a CPU that
/// is not allowed.
ThreadPlan plan_threads(const Test& test, std::string_view numa, const Machine& machine);

}  // namespace armature::tools::bench
