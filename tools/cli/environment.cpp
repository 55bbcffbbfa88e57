// Flags whose values the environment gives.
#include <cstdlib>

#include "gguf/compose.h"
#include "tools/cli/values.h"

namespace armature::tools {
namespace {

/// The others of the table, such as HF_TOKEN, are there for other programs' sake.
bool is_for_us(std::string_view name) { return name.starts_with("LLAMA_") || name.starts_with("ARMATURE_"); }

struct Variable {
  std::string name;
  std::string_view value;  // empty: no variable is set
  bool off = false;        // turns a switch off, whatever its value
};

/// llama-bench, unlike llama.cpp's other tools, takes nothing from the environment.
bool is_read_by(Commands command, std::string_view name) {
  return command != kBench || !name.starts_with("LLAMA_ARG_");
}

Variable find_variable(const Flag& flag, Commands command, const Environment& environment) {
  for (const bool off : {true, false}) {
    for (const std::string_view word : split_words(off ? flag.env_off : flag.env)) {
      if (!is_for_us(word) || !is_read_by(command, word)) continue;
      const std::string name(word);
      if (const std::string_view value = environment(name); !value.empty()) return {name, value, off};
    }
  }
  return {};
}

std::string value_of(const Flag& flag, const Variable& variable) {
  if (variable.off) return "off";
  if (flag.value != ValueKind::None) {
    if (!is_allowed(flag, variable.value)) throw bad_value(flag, variable.name, variable.value);
    return std::string(variable.value);
  }
  if (const auto value = switch_value(variable.value)) return std::string(*value);
  throw bad_value(flag, variable.name, variable.value);
}

}  // namespace

std::string_view system_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string_view() : value;
}

void Arguments::read_environment(Commands command, const Environment& environment) {
  for (const Flag& flag : flag_table()) {
    if ((flag.commands & command) == 0 || is_given(flag.option)) continue;
    const Variable variable = find_variable(flag, command, environment);
    if (variable.value.empty() || is_decided(flag)) continue;
    if (flag.option == Option::Ignored) {
      set(flag, variable.name, {});
      continue;
    }
    if (flag.option == Option::Refused) {
      if (!asks_for_nothing(flag, variable.value))
        not_honoured_.push_back(compose("not honoured: {} ({})", variable.name, flag.help));
      continue;
    }
    set(flag, variable.name, value_of(flag, variable));
    environment_.push_back(
        compose("{}={} (for {})", variable.name, variable.value, split_words(flag.names).front()));
  }
}

}  // namespace armature::tools
