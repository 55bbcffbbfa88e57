#pragma once

#include <ctime>
#include <optional>

#include "tools/cli/flags.h"

namespace armature::tools {

/// What --now says the local time is; nothing without it. Throws UsageError.
std::optional<std::tm> fixed_time(const Arguments& args);

}  // namespace armature::tools
