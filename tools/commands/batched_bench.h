#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature batched-bench`: times sequences side by side as llama-batched-bench does, and prints its table
/// or JSON lines. Returns the exit status. Throws UsageError, ReaderLeft, Error.
int run_batched_bench(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
