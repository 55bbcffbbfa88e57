#pragma once

#include <span>

#include "tools/cli/flags.h"

/// The rows of flag_table(), one file of flags/ per group. Names and defaults of options that others have too
/// are those of llama.cpp in 2026.
namespace armature::tools {

std::span<const Flag> input_flags();
std::span<const Flag> tokenize_flags();
std::span<const Flag> answer_flags();
std::span<const Flag> sampling_flags();
std::span<const Flag> context_flags();
std::span<const Flag> machine_flags();
std::span<const Flag> output_flags();
std::span<const Flag> ignored_flags();

}  // namespace armature::tools
