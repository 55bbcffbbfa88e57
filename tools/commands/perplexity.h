#pragma once

#include <chrono>

#include "tools/cli/flags.h"

namespace armature::tools {

/// `armature perplexity`: how well a model predicts a text, and how far its predictions are from another's.
/// Returns the exit status: 0, or 130 after an interrupt. Throws UsageError, Error, ReaderLeft, Interrupted.
int measure_perplexity(const Arguments& args, std::chrono::steady_clock::time_point start);

}  // namespace armature::tools
