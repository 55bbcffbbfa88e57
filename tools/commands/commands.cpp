#include "tools/cli/commands.h"

#include <algorithm>

#include "tools/commands/run.h"

namespace armature::tools {
namespace {

constexpr Command kCommands[] = {
    {.bit = kRun,
     .name = "run",
     .summary = "answer one prompt, e.g.: armature run \"Tell me a story about a fox.\"",
     .usage = "[-m FILE] [-p TEXT | -f FILE | TEXT...] [OPTIONS]",
     .description = "Answers one prompt: the answer goes to standard output, all else to standard error.\n",
     .run = run},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  const auto found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [name](const Command& command) { return command.name == name; });
  return found == std::end(kCommands) ? nullptr : &*found;
}

}  // namespace armature::tools
