#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature template`: prints a chat template or what it makes of messages. Returns the exit status. Throws
/// UsageError, Error, ReaderLeft.
int show_template(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
