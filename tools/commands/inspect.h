#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature inspect`: shows what is in a model's files and what would not run, without reading weights.
/// Returns the exit status: 0 for any file that can be read. Throws UsageError, Error, ReaderLeft.
int inspect(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
