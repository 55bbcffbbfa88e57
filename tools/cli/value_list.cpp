#include "tools/cli/value_list.h"

#include <algorithm>

#include "tools/cli/values.h"

namespace armature::tools {
namespace {

struct NumberRange {
  std::int64_t first = 0, last = 0, step = 1;
  bool multiplies = false;

  /// The number after this one, or nothing where the numbers would not grow or no number holds it.
  std::optional<std::int64_t> after(std::int64_t number) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;  // beyond every range of the flag table
    if (step < 1 || step > kMost || number > kMost) return std::nullopt;
    const std::int64_t next = multiplies ? number * step : number + step;
    return next > number ? std::optional(next) : std::nullopt;
  }
};

std::optional<NumberRange> parse_range(std::string_view text) {
  NumberRange range;
  const std::size_t dash = text.find('-', 1);  // that of a negative number is none
  const auto first = parse_number<std::int64_t>(text.substr(0, dash));
  if (!first) return std::nullopt;
  range.first = range.last = *first;
  if (dash == text.npos) return range;
  text.remove_prefix(dash + 1);
  const std::size_t sign = text.find_first_of("+*");
  const auto last = parse_number<std::int64_t>(text.substr(0, sign));
  if (!last) return std::nullopt;
  range.last = *last;
  if (sign == text.npos) return range;
  const auto step = parse_number<std::int64_t>(text.substr(sign + 1));
  if (!step) return std::nullopt;
  range.step = *step;
  range.multiplies = text[sign] == '*';
  return range;
}

/// False where the range does not grow or is too long.
bool append(std::vector<std::int64_t>& numbers, const NumberRange& range) {
  std::int64_t number = range.first;
  while (number <= range.last) {
    if (numbers.size() == kMostListed) return false;
    numbers.push_back(number);
    if (number == range.last) break;
    const auto next = range.after(number);
    if (!next) return false;
    number = *next;
  }
  return true;
}

/// What was given, or else the initial value.
std::vector<std::string_view> given_or_initial(const Arguments& args, Option option) {
  const auto given = args.all(option);
  if (given.empty()) return {args.text(option)};
  return {given.begin(), given.end()};
}

}  // namespace

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t comma = text.find(',');
    pieces.push_back(text.substr(0, comma));
    if (comma == text.npos) return pieces;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::vector<std::int64_t>> parse_integers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view piece : split_at_commas(text)) {
    const auto range = parse_range(piece);
    if (!range || range->last < range->first || !append(numbers, *range)) return std::nullopt;
  }
  return numbers;
}

std::vector<std::int64_t> integers(const Arguments& args, Option option) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view value : given_or_initial(args, option)) {
    if (contains_word(flag_of(option).words, value)) continue;
    const auto list = parse_integers(value);
    if (list) numbers.insert(numbers.end(), list->begin(), list->end());
  }
  return numbers;
}

std::vector<std::string> texts(const Arguments& args, Option option) {
  std::vector<std::string> out;
  for (const std::string_view value : given_or_initial(args, option))
    for (const std::string_view piece : split_at_commas(value)) out.emplace_back(piece);
  return out;
}

}  // namespace armature::tools
