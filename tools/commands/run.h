#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature run`: answers one prompt. `start` is when the program began. Returns the exit status: 0, or 130
/// after an interrupt. Throws UsageError, Error, ReaderLeft.
int run(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
