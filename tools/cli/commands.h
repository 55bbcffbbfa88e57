#pragma once

#include <chrono>
#include <span>
#include <string_view>

#include "tools/cli/flags.h"

namespace armature::tools {

/// A command of the program. Dispatch, help and completion walk the table.
struct Command {
  Commands bit;  // in Flag::commands
  std::string_view name;
  std::string_view summary;      // one line of the program's help
  std::string_view usage;        // what follows the name
  std::string_view description;  // above the options in its help, whole lines
  /// args.notes() have been told. `start` is when the program began. Returns the exit status. Throws
  /// UsageError, Error, ReaderLeft.
  int (*run)(const Arguments& args, std::chrono::steady_clock::time_point start);
};
std::span<const Command> commands();
std::string command_names();  // with commas between
/// Null when there is no such command.
const Command* find_command(std::string_view name);

}  // namespace armature::tools
