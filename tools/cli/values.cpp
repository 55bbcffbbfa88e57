#include "tools/cli/values.h"

#include <algorithm>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/value_list.h"

namespace armature::tools {
namespace {

constexpr std::string_view kFile = "FILE";  // how the help shows the value of a flag that takes a file

}  // namespace

bool contains_word(std::string_view list, std::string_view word) {
  const auto words = split_words(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string allowed_values(const Flag& flag) {
  std::string out;
  if (!flag.range_text.empty()) {
    out = flag.range_text;
  } else if (flag.value == ValueKind::Integer || flag.value == ValueKind::Integers) {
    out = compose("{} to {}", static_cast<std::int64_t>(flag.range.low),
                  static_cast<std::int64_t>(flag.range.high));
  } else if (flag.value == ValueKind::Real) {
    out = compose("{} to {}", flag.range.low, flag.range.high);
  }
  if (flag.value == ValueKind::Integers)
    out += ", lists and rising ranges as 1,2,8-64*2, at most 10000 numbers";
  for (const std::string_view word : split_words(flag.words)) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

bool is_allowed(const Flag& flag, std::string_view value) {
  if (flag.value == ValueKind::Text) return !value.empty() || flag.shown != kFile;
  if (flag.value == ValueKind::MaybeText || contains_word(flag.words, value)) return true;
  const auto in_range = [&](double number) {  // false for NaN
    return number >= flag.range.low && number <= flag.range.high;
  };
  if (flag.value == ValueKind::Integer) {
    const auto number = parse_number<std::int64_t>(value);
    return number && in_range(static_cast<double>(*number));
  }
  if (flag.value == ValueKind::Integers) {
    const auto numbers = parse_integers(value);
    return numbers && std::all_of(numbers->begin(), numbers->end(),
                                  [&](std::int64_t number) { return in_range(static_cast<double>(number)); });
  }
  if (flag.value == ValueKind::Words) {
    const auto words = split_at_commas(value);
    return std::all_of(words.begin(), words.end(),
                       [&](std::string_view word) { return contains_word(flag.words, word); });
  }
  if (flag.value == ValueKind::Real) {
    const auto number = parse_number<double>(value);
    return number && in_range(*number);
  }
  return false;
}

bool asks_for_nothing(const Flag& flag, std::string_view value) {
  if (contains_word(flag.words, value)) return true;
  const auto number = parse_number<double>(value);
  const auto words = split_words(flag.words);
  return number && std::any_of(words.begin(), words.end(),
                               [&](std::string_view word) { return parse_number<double>(word) == number; });
}

std::optional<std::string_view> switch_value(std::string_view word) {
  if (contains_word("on enabled true 1", word)) return "on";
  if (contains_word("off disabled false 0", word)) return "off";
  return std::nullopt;
}

UsageError bad_value(const Flag& flag, std::string_view name, std::string_view value) {
  std::string allowed = allowed_values(flag);
  if (flag.value == ValueKind::None) allowed = "on, off, true, false, 1, 0, enabled, disabled";
  if (flag.value == ValueKind::Text && flag.shown == kFile) allowed = "the name of a file";
  return UsageError(compose("{}: value {}; allowed: {}{}{}", name, quote(value), allowed,
                            flag.limits.empty() ? "" : "; ", flag.limits));
}

UsageError refusal(const Flag& flag, std::string_view name) {
  const std::string accepted = allowed_values(flag);
  return UsageError(
      compose("{}: {}{}{}", name, flag.help, accepted.empty() ? "" : "; accepted is ", accepted));
}

}  // namespace armature::tools
