#include "gguf/compose.h"
#include "tools/cli/completion.h"
#include "tools/cli/completion_facts.h"

namespace armature::tools {
namespace {

constexpr std::string_view kHead = R"(# Completion of armature for bash. To have it always:
#   armature completion bash > ~/.local/share/bash-completion/completions/armature
_armature_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }
_armature_files() { compopt -o filenames 2> /dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word"); }
_armature() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $word == = ]]; then  # --flag=value comes as three words
    word=
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";

constexpr std::string_view kTail = R"(  esac
}
complete -F _armature armature
)";

std::string command_words() {
  std::string words;
  for (const Command& command : commands()) words += compose("{} ", command.name);
  return words + "--help --version";
}

/// "-m|--model"
std::string pattern(const Flag& flag) {
  std::string out;
  for (const std::string_view name : split_words(flag.names))
    out += compose("{}{}", out.empty() ? "" : "|", name);
  return out;
}

/// What the word after a flag may be: a branch of `case`, or nothing.
std::string value_branch(const Flag& flag) {
  switch (follows(flag)) {
    case Follows::Nothing:
      return {};
    case Follows::Anything:
      return compose("        {}) return ;;\n", pattern(flag));
    case Follows::File:
      return compose("        {}) _armature_files; return ;;\n", pattern(flag));
    case Follows::Word:
      return compose("        {}) _armature_words \"{}\"; return ;;\n", pattern(flag), flag.words);
    case Follows::MaybeWord:
      return compose("        {}) [[ $word == -* ]] || { _armature_words \"{}\"; return; } ;;\n",
                     pattern(flag), flag.words);
  }
  return {};
}

std::string command_branch(const Command& command) {
  std::string values, names;
  for (const Flag* flag : completed_flags(command)) {
    values += value_branch(*flag);
    for (const std::string_view list : {flag->names, flag->negatives})
      if (!list.empty()) names += compose("{}{}", names.empty() ? "" : " ", list);
  }
  const std::string words = completed_words(command);
  return compose("    {})\n      case $before in\n{}      esac\n", command.name, values) +
         compose("      if [[ $word == -* ]]; then _armature_words \"{}\"; else {}; fi ;;\n", names,
                 words.empty() ? "_armature_files" : compose("_armature_words \"{}\"", words));
}

}  // namespace

std::string bash_completion() {
  std::string out(kHead);
  out += compose("  if ((COMP_CWORD == 1)); then _armature_words \"{}\"; return; fi\n", command_words());
  out += "  case $command in\n";
  for (const Command& command : commands()) out += command_branch(command);
  return out + std::string(kTail);
}

}  // namespace armature::tools
