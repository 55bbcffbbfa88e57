#include "tools/cli/help.h"

#include <array>
#include <string_view>
#include <utility>

#include "gguf/compose.h"
#include "tools/cli/wrap.h"

namespace armature::tools {
namespace {

constexpr std::size_t kHelpColumn = 34;
constexpr std::size_t kCommandColumn = 14;

constexpr std::array<std::string_view, 8> kGroupNames = {
    // in the order of Group
    "Input",   "Tests (all combinations of the values of flags that take lists)",
    "Answer",  "Sampling",
    "Context", "Machine",
    "Output",  "Accepted and ignored (armature help llama.cpp says why)"};  // refused flags are not shown

std::string describe(const Flag& flag) {
  std::string names = "  " + joined(flag.names);
  if (!flag.negatives.empty()) names += ", " + joined(flag.negatives);
  if (!flag.shown.empty()) names += compose(" {}", flag.shown);
  std::string help(flag.help);
  if (flag.value != ValueKind::None && !flag.initial.empty()) help += compose(" (default: {})", flag.initial);
  if (!flag.env.empty()) help += compose(" (variable: {})", split_words(flag.env).front());
  return in_column(std::move(names), help, kHelpColumn);
}

/// The flags of a group; of those that are ignored the names alone.
std::string group_help(Commands command, Group group) {
  std::string lines, ignored;
  for (const Flag& flag : flag_table()) {
    if (flag.group != group || (flag.commands & command) == 0) continue;
    if (group == Group::Ignored) {
      ignored += compose("{}{}", ignored.empty() ? "" : ", ", joined(flag.names));
    } else {
      lines += describe(flag);
    }
  }
  return ignored.empty() ? lines : in_column("", ignored, 2);
}

std::string options_help(Commands command) {
  std::string out;
  for (std::size_t group = 0; group < kGroupNames.size(); ++group) {
    const std::string lines = group_help(command, static_cast<Group>(group));
    if (!lines.empty()) out += compose("\n{}\n{}", kGroupNames[group], lines);
  }
  return out;
}

}  // namespace

std::string version_line() { return "armature " ARMATURE_VERSION "\n"; }

std::string program_help() {
  std::string out =
      "usage: armature COMMAND [OPTIONS]\n"
      "\n"
      "Runs language models in GGUF files on the CPU.\n"
      "\n"
      "Commands\n";
  for (const Command& command : commands()) {
    out += in_column(compose("  {}", command.name), command.summary, kCommandColumn);
  }
  return out +
         "\n"
         "  --help      this text; armature help COMMAND: the options of a command\n"
         "  --version   the program's version\n";
}

std::string command_help(const Command& command) {
  return compose("usage: armature {} {}\n\n{}", command.name, command.usage, command.description) +
         "\"--name VALUE\" and \"--name=VALUE\" are the same, and so are `_` and `-` in names.\n" +
         options_help(command.bit) +
         "\nExit status: 0 done (a full context included), 1 fault of file, request or machine,\n"
         "2 wrong command line, 130 interrupted.\n";
}

}  // namespace armature::tools
