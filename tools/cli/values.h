#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "tools/cli/flags.h"

/// Values of flags as the table describes them.
namespace armature::tools {

/// All of `text` as a number, or nothing.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Whether a list of the table holds this word.
bool contains_word(std::string_view list, std::string_view word);

/// The values that a flag takes, for messages: "1 to 1024, auto"; empty if there is nothing to say.
std::string allowed_values(const Flag& flag);
bool is_allowed(const Flag& flag, std::string_view value);
/// Whether a refused flag is accepted with this value: one of its words, or a number that equals one of them.
bool asks_for_nothing(const Flag& flag, std::string_view value);

/// "on" or "off" for the words that other programs take for a switch, or nothing.
std::optional<std::string_view> switch_value(std::string_view word);

/// "{}: value 'x'; allowed: ..."
UsageError bad_value(const Flag& flag, std::string_view name, std::string_view value);
/// "{}: why, and what to do instead".
UsageError refusal(const Flag& flag, std::string_view name);

}  // namespace armature::tools
