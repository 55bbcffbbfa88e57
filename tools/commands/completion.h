#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature completion bash|zsh|fish`. Throws UsageError.
int print_completion(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
