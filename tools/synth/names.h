#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tools/cli/flags.h"

/// Names of shapes and types as people type them.
namespace armature::tools::synth {

/// Whether two names differ in the case of ASCII letters at most.
bool same_name(std::string_view a, std::string_view b);
/// "unknown WHAT 'name'; the nearest is X; known are A, B"
UsageError unknown_name(std::string_view what, std::string_view name,
                        std::span<const std::string_view> known);

}  // namespace armature::tools::synth
