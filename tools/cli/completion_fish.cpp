#include "gguf/compose.h"
#include "tools/cli/completion.h"
#include "tools/cli/completion_facts.h"

namespace armature::tools {
namespace {

constexpr std::string_view kHead = R"(# Completion of armature for fish. To have it always:
#   armature completion fish > ~/.config/fish/completions/armature.fish
complete -c armature -f
)";

/// In single quotes.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// "-l threads", "-o tb" or "-s t".
std::string option(std::string_view name) {
  if (name.starts_with("--")) return compose("-l {}", name.substr(2));
  return compose("{} {}", name.size() == 2 ? "-s" : "-o", name.substr(1));
}

std::string value_options(const Flag& flag) {
  switch (follows(flag)) {
    case Follows::Nothing:
      return {};
    case Follows::Anything:
      return " -x";
    case Follows::File:
      return " -r -F";
    case Follows::Word:
      return compose(" -x -a {}", quoted(flag.words));
    case Follows::MaybeWord:
      return compose(" -a {}", quoted(flag.words));
  }
  return {};
}

std::string command_lines(const Command& command) {
  const std::string start = compose("complete -c armature -n '__fish_seen_subcommand_from {}'", command.name);
  const std::string words = completed_words(command);
  std::string out = words.empty() ? compose("{} -F\n", start) : compose("{} -a {}\n", start, quoted(words));
  for (const Flag* flag : completed_flags(command)) {
    const std::string end = compose("{} -d {}\n", value_options(*flag), quoted(brief_help(*flag)));
    for (const std::string_view list : {flag->names, flag->negatives})
      for (const std::string_view name : split_words(list))
        out += compose("{} {}{}", start, option(name), end);
  }
  return out;
}

}  // namespace

std::string fish_completion() {
  std::string out(kHead);
  for (const Command& command : commands())
    out += compose("complete -c armature -n __fish_use_subcommand -a {} -d {}\n", command.name,
                   quoted(command.summary));
  for (const Command& command : commands()) out += command_lines(command);
  return out;
}

}  // namespace armature::tools
