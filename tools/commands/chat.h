#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature chat`: messages of a person or of a pipe, answered one after the other. Returns the exit status,
/// see ChatSession::run(). Throws UsageError, Error, ReaderLeft.
int chat(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
