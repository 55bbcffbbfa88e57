#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature synth`: a model's file in the shape of a known one, with random weights. Returns the exit
/// status. Throws UsageError, ReaderLeft, Error.
int make_synthetic(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
