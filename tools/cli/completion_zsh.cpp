#include "gguf/compose.h"
#include "tools/cli/completion.h"
#include "tools/cli/completion_facts.h"

namespace armature::tools {
namespace {

constexpr std::string_view kHead = R"(#compdef armature
# Completion of armature for zsh. To have it always, into a folder of $fpath:
#   armature completion zsh > ~/.zsh/completions/_armature
_armature() {
  local -a commands
)";

constexpr std::string_view kTail = R"(  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _armature "$@"; else compdef _armature armature; fi
)";

/// Within single quotes, where _arguments and _describe keep `special` characters for themselves.
std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// What comes behind the description of a flag in a spec of _arguments.
std::string value_spec(const Flag& flag) {
  const std::string shown = escaped(flag.shown, ":[]()\\");
  switch (follows(flag)) {
    case Follows::Nothing:
      return {};
    case Follows::Anything:
      return compose(":{}: ", shown);
    case Follows::File:
      return compose(":{}:_files", shown);
    case Follows::Word:
      return compose(":{}:({})", shown, flag.words);
    case Follows::MaybeWord:
      return compose("::{}:({})", shown, flag.words);
  }
  return {};
}

std::string flag_specs(const Flag& flag) {
  const std::string help = escaped(brief_help(flag), ":[]\\");
  std::string out;
  for (const std::string_view list : {flag.names, flag.negatives})
    for (const std::string_view name : split_words(list))
      out += compose("        '*{}[{}]{}' \\\n", name, help, value_spec(flag));
  return out;
}

std::string command_branch(const Command& command) {
  std::string out = compose("    {})\n      _arguments -S \\\n", command.name);
  for (const Flag* flag : completed_flags(command)) out += flag_specs(*flag);
  const std::string words = completed_words(command);
  return out +
         (words.empty() ? "        '*:file:_files' ;;\n" : compose("        '*:word:({})' ;;\n", words));
}

}  // namespace

std::string zsh_completion() {
  std::string out(kHead);
  for (const Command& command : commands())
    out += compose("  commands+=('{}:{}')\n", command.name, escaped(command.summary, ":\\"));
  out +=
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const Command& command : commands()) out += command_branch(command);
  return out + std::string(kTail);
}

}  // namespace armature::tools
