#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/commands.h"

/// What all shells are told about a command line.
namespace armature::tools {

/// The flags of a command that are worth completing.
std::vector<const Flag*> completed_flags(const Command& command);

/// What may follow a flag.
enum class Follows { Nothing, Anything, File, Word, MaybeWord };
Follows follows(const Flag& flag);

/// What the arguments of a command are that are no flags: words, else files.
std::string completed_words(const Command& command);

/// A flag's help up to its first semicolon.
std::string_view brief_help(const Flag& flag);

}  // namespace armature::tools
