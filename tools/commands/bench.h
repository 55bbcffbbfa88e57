#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature bench`: times prompts and generation as llama-bench does, and prints its formats. Returns the
/// exit status. Throws UsageError, ReaderLeft, Error; the formats are then whole all the same.
int run_benchmarks(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
