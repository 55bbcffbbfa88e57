#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature plan`: what running a model would take, without loading its weights. Returns the exit status.
/// Throws UsageError, ReaderLeft, Error; out_of_memory, after the plan was printed, where it does not fit.
int plan(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
