#include "tools/answer/fixed_clock.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools {
namespace {

/// The numbers of a text that has the form of `pattern`, in which 0 stands for a digit.
std::optional<std::array<int, 6>> read_numbers(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return std::nullopt;
  std::array<int, 6> numbers{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (pattern[i] != '0') {
      if (text[i] != pattern[i]) return std::nullopt;
      ++i;
      continue;
    }
    const std::size_t end = std::min(pattern.find_first_not_of('0', i), text.size());
    const auto [stop, fault] = std::from_chars(text.data() + i, text.data() + end, numbers[n++]);
    if (fault != std::errc{} || stop != text.data() + end) return std::nullopt;
    i = end;
  }
  return numbers;
}

/// Nothing for a date or time that does not exist.
std::optional<std::tm> to_time(const std::array<int, 6>& numbers) {
  std::tm time{};
  time.tm_year = numbers[0] - 1900;
  time.tm_mon = numbers[1] - 1;
  time.tm_mday = numbers[2];
  time.tm_hour = numbers[3];
  time.tm_min = numbers[4];
  time.tm_sec = numbers[5];
  std::tm normal = time;
  ::timegm(&normal);  // also fills in the days of week and year
  const bool exists = normal.tm_year == time.tm_year && normal.tm_mon == time.tm_mon &&
                      normal.tm_mday == time.tm_mday && normal.tm_hour == time.tm_hour &&
                      normal.tm_min == time.tm_min && normal.tm_sec == time.tm_sec;
  if (!exists) return std::nullopt;
  return normal;
}

}  // namespace

std::optional<std::tm> fixed_time(const Arguments& args) {
  if (!args.is_given(Option::Now)) return std::nullopt;
  const std::string_view text = args.text(Option::Now);
  for (const std::string_view pattern : {"0000-00-00 00:00:00", "0000-00-00T00:00:00", "0000-00-00"}) {
    const auto numbers = read_numbers(text, pattern);
    if (!numbers) continue;
    if (const auto time = to_time(*numbers)) return time;
  }
  throw UsageError(compose("--now: value {}; allowed: a date and time such as 2026-01-15 10:30:00, or a date",
                           quote(text)));
}

}  // namespace armature::tools
