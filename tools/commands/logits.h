#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature logits`: writes the logits after given tokens to a file of f32. Returns the exit status: 0, or
/// 130 after an interrupt. Throws UsageError, Error, ReaderLeft.
int logits(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
