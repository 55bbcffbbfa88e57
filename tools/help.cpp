#include "tools/help.h"

#include <algorithm>
#include <array>

#include "gguf/compose.h"

namespace armature::tools {
namespace {

constexpr std::size_t kHelpColumn = 34;

constexpr std::array<std::string_view, 7> kGroupNames = {
    // in the order of Group
    "Input", "Answer", "Sampling", "Context", "Machine", "Output", "Accepted and ignored"};

std::string joined(std::string_view list) {
  std::string out;
  for (const std::string_view name : split_words(list)) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

std::string describe(const Flag& flag) {
  std::string line = "  " + joined(flag.names);
  if (!flag.negatives.empty()) line += ", " + joined(flag.negatives);
  if (!flag.shown.empty()) line += compose(" {}", flag.shown);
  if (line.size() + 2 > kHelpColumn) line += "\n";
  const std::size_t column = line.back() == '\n' ? 0 : line.size();
  line.append(kHelpColumn - column, ' ');
  line += flag.help;
  if (flag.value != ValueKind::None && !flag.initial.empty()) line += compose(" (default: {})", flag.initial);
  return line + "\n";
}

std::string options_help(Commands command) {
  std::string out;
  for (std::size_t group = 0; group < kGroupNames.size(); ++group) {
    out += compose("\n{}\n", kGroupNames[group]);
    for (const Flag& flag : flag_table()) {
      if (static_cast<std::size_t>(flag.group) != group || (flag.commands & command) == 0) continue;
      if (flag.group == Group::Ignored) {
        out += compose("  {}\n", joined(flag.names));
      } else {
        out += describe(flag);
      }
    }
  }
  return out;
}

}  // namespace

std::string version_line() { return "armature " ARMATURE_VERSION "\n"; }

std::string program_help() {
  return "usage: armature COMMAND [OPTIONS]\n"
         "\n"
         "Runs language models in GGUF files on the CPU.\n"
         "\n"
         "Commands\n"
         "  run         answer one prompt, e.g.: armature run \"Tell me a story about a fox.\"\n"
         "\n"
         "  --help      this text; armature COMMAND --help: the options of a command\n"
         "  --version   the program's version\n";
}

std::string run_help() {
  return "usage: armature run [-m FILE] [-p TEXT | -f FILE | TEXT...] [OPTIONS]\n"
         "\n"
         "Answers one prompt: the answer goes to standard output, all else to standard error.\n"
         "\"--name VALUE\" and \"--name=VALUE\" are the same, and so are `_` and `-` in names.\n" +
         options_help(kRun) +
         "\nExit status: 0 done (a full context included), 1 fault of file, request or machine,\n"
         "2 wrong command line, 130 interrupted.\n";
}

}  // namespace armature::tools
