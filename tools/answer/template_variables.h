#pragma once

#include <map>
#include <string>

#include "engine/chat/value.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// The variables that a chat template gets from --reasoning, --reasoning-effort and --reasoning-budget, and
/// from --chat-template-kwargs, which counts where both name one. Throws UsageError.
std::map<std::string, chat::Value, std::less<>> template_variables(const Arguments& args);

}  // namespace armature::tools
