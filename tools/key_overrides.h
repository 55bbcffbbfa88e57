#pragma once

#include <vector>

#include "gguf/override.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// What --override-kv (one KEY=TYPE:VALUE, or several with commas between) and the flags of RoPE say of the
/// model's keys; the former count where both name one. Throws UsageError.
std::vector<gguf::KeyOverride> key_overrides(const Arguments& args);

}  // namespace armature::tools
