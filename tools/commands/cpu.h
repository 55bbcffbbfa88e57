#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature cpu`: shows the machine as the engine sees it. Returns the exit status. Throws UsageError,
/// ReaderLeft.
int show_cpu(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
