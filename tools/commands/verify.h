#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature verify`. Status 1 when something is wrong.
int verify_machine(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
