#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature help [COMMAND | llama.cpp [--json]]`. Throws UsageError.
int show_help(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
