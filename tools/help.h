#pragma once

#include <string>

#include "tools/flags.h"

namespace armature::tools {

std::string version_line();  // "armature 0.1.0"
std::string program_help();  // the commands
std::string run_help();      // its options, by group

}  // namespace armature::tools
