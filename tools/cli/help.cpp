#include "tools/cli/help.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "gguf/compose.h"

namespace armature::tools {
namespace {

constexpr std::size_t kHelpColumn = 34;
constexpr std::size_t kCommandColumn = 14;
constexpr std::size_t kWidth = 100;

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

/// `line` and then `text`, which starts at `column` and is broken at spaces so as to stay there.
std::string in_column(std::string line, std::string_view text, std::size_t column) {
  std::string out;
  const auto next_line = [&] {
    out += line + "\n";
    line.clear();
  };
  if (line.size() + 1 > column) next_line();
  line.resize(std::max(line.size(), column), ' ');
  for (const std::string_view word : split_words(text)) {
    if (line.size() > column && line.size() + 1 + word.size() > kWidth) {
      next_line();
      line.resize(column, ' ');
    }
    if (line.size() > column) line += ' ';
    line += word;
  }
  next_line();
  return out;
}

std::string describe(const Flag& flag) {
  if (flag.group == Group::Ignored) return in_column("", joined(flag.names), 2);
  std::string names = "  " + joined(flag.names);
  if (!flag.negatives.empty()) names += ", " + joined(flag.negatives);
  if (!flag.shown.empty()) names += compose(" {}", flag.shown);
  std::string help(flag.help);
  if (flag.value != ValueKind::None && !flag.initial.empty()) help += compose(" (default: {})", flag.initial);
  return in_column(std::move(names), help, kHelpColumn);
}

std::string options_help(Commands command) {
  std::string out;
  for (std::size_t group = 0; group < kGroupNames.size(); ++group) {
    std::string lines;
    for (const Flag& flag : flag_table()) {
      if (static_cast<std::size_t>(flag.group) != group || (flag.commands & command) == 0) continue;
      lines += describe(flag);
    }
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
         "  --help      this text; armature COMMAND --help: the options of a command\n"
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
