#include "tools/cli/completion_facts.h"

#include "gguf/compose.h"

namespace armature::tools {

std::vector<const Flag*> completed_flags(const Command& command) {
  std::vector<const Flag*> flags;
  for (const Flag& flag : flag_table()) {
    const bool has_effect = flag.option != Option::Ignored && flag.option != Option::Refused;
    if ((flag.commands & command.bit) != 0 && has_effect) flags.push_back(&flag);
  }
  return flags;
}

Follows follows(const Flag& flag) {
  if (flag.value == ValueKind::None) return Follows::Nothing;
  if (flag.value == ValueKind::MaybeWord) return Follows::MaybeWord;
  if (!flag.words.empty()) return Follows::Word;
  return flag.shown == "FILE" ? Follows::File : Follows::Anything;
}

std::string completed_words(const Command& command) {
  if (command.bit == kCompletion) return "bash zsh fish";
  if (command.bit != kHelp) return {};
  std::string words = "llama.cpp";
  for (const Command& each : commands()) words += compose(" {}", each.name);
  return words;
}

std::string_view brief_help(const Flag& flag) {
  std::string_view text = flag.help.substr(0, flag.help.find(';'));
  while (text.starts_with("... ")) text.remove_prefix(4);
  return text;
}

}  // namespace armature::tools
