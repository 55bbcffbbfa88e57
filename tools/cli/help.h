#pragma once

#include <string>

#include "tools/cli/commands.h"

namespace armature::tools {

std::string version_line();                        // "armature 0.1.0"
std::string program_help();                        // the commands
std::string command_help(const Command& command);  // its options, by group

}  // namespace armature::tools
