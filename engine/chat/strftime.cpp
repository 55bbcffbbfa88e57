#include "engine/chat/strftime.h"

#include <algorithm>
#include <array>

namespace armature::chat {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};

template <std::size_t n>
std::string name_in(const std::array<std::string_view, n>& names, int index) {
  return std::string(names[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(n) - 1))]);
}

/// `number` in decimal, at least `width` wide with `fill` in front unless `pad` is false.
std::string padded(int number, std::size_t width, bool pad, char fill = '0') {
  const std::string digits = std::to_string(number);
  return std::string(pad && digits.size() < width ? width - digits.size() : 0, fill) + digits;
}

std::optional<std::string> directive(char letter, bool pad, const std::tm& time) {
  switch (letter) {
    case 'Y':
      return padded(time.tm_year + 1900, 4, pad);
    case 'y':
      return padded(time.tm_year % 100, 2, pad);
    case 'm':
      return padded(time.tm_mon + 1, 2, pad);
    case 'd':
      return padded(time.tm_mday, 2, pad);
    case 'e':
      return padded(time.tm_mday, 2, pad, ' ');
    case 'j':
      return padded(time.tm_yday + 1, 3, pad);
    case 'H':
      return padded(time.tm_hour, 2, pad);
    case 'I':
      return padded((time.tm_hour + 11) % 12 + 1, 2, pad);
    case 'M':
      return padded(time.tm_min, 2, pad);
    case 'S':
      return padded(time.tm_sec, 2, pad);
    case 'p':
      return time.tm_hour < 12 ? "AM" : "PM";
    case 'B':
      return name_in(kMonths, time.tm_mon);
    case 'b':
      return name_in(kMonths, time.tm_mon).substr(0, 3);
    case 'A':
      return name_in(kDays, time.tm_wday);
    case 'a':
      return name_in(kDays, time.tm_wday).substr(0, 3);
    case 'w':
      return std::to_string(time.tm_wday);
    case 'F':
      return format_time("%Y-%m-%d", time);
    case 'T':
      return format_time("%H:%M:%S", time);
    case 'R':
      return format_time("%H:%M", time);
    case 'D':
      return format_time("%m/%d/%y", time);
    case '%':
      return "%";
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> format_time(std::string_view format, const std::tm& time) {
  std::string result;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      result.push_back(format[i]);
      continue;
    }
    const bool pad = format.substr(i + 1, 1) != "-";
    i += pad ? 1 : 2;
    if (i >= format.size()) return std::nullopt;
    const std::optional<std::string> part = directive(format[i], pad, time);
    if (!part) return std::nullopt;
    result += *part;
  }
  return result;
}

}  // namespace armature::chat
