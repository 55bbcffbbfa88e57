#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature tokenize`: text to token ids and back. Returns the exit status. Throws UsageError, Error,
/// ReaderLeft.
int tokenize(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
