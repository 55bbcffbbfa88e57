#pragma once

#include <string>
#include <string_view>

namespace armature::tools {

/// Scripts that complete commands, flags, their words and file names in a shell; made from the tables,
/// without flags that are ignored or refused.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace armature::tools
