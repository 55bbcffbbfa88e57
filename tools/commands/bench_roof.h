#pragma once

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature bench --roof`: measures what the machine can do at best, and prints it. Returns the exit status.
/// Throws UsageError, ReaderLeft, and Error out_of_memory.
int run_roof(const Arguments& args);

}  // namespace armature::tools
