#include "tools/cli/flags.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools {
namespace {

bool contains(std::string_view list, std::string_view word) {
  const auto words = split_words(list);
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A name with `_` as `-`, as the table has it.
std::string normalise(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

struct Match {
  const Flag* flag;
  bool negative;
};
std::optional<Match> find_flag(Commands command, std::string_view name) {
  for (const Flag& flag : flag_table()) {
    if ((flag.commands & command) == 0) continue;
    if (contains(flag.names, name)) return Match{&flag, false};
    if (contains(flag.negatives, name)) return Match{&flag, true};
  }
  return std::nullopt;
}

/// All of `text` as a number, or nothing.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string allowed_values(const Flag& flag) {
  std::string out;
  if (!flag.range_text.empty()) {
    out = flag.range_text;
  } else if (flag.value == ValueKind::Integer) {
    out = compose("{} to {}", static_cast<std::int64_t>(flag.range.low),
                  static_cast<std::int64_t>(flag.range.high));
  } else if (flag.value == ValueKind::Real) {
    out = compose("{} to {}", flag.range.low, flag.range.high);
  }
  for (const std::string_view word : split_words(flag.words)) {
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out;
}

bool is_allowed(const Flag& flag, std::string_view value) {
  if (flag.value == ValueKind::Text || contains(flag.words, value)) return true;
  const auto in_range = [&](double number) {  // false for NaN
    return number >= flag.range.low && number <= flag.range.high;
  };
  if (flag.value == ValueKind::Integer) {
    const auto number = parse_number<std::int64_t>(value);
    return number && in_range(static_cast<double>(*number));
  }
  if (flag.value == ValueKind::Real) {
    const auto number = parse_number<double>(value);
    return number && in_range(*number);
  }
  return false;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // from a[0..i) to each prefix of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// A flag as it stands on the command line.
struct Written {
  std::string_view name;                  // as the user wrote it
  std::optional<std::string_view> value;  // after "="
};
Written split_at_equals(std::string_view arg) {
  const std::size_t at = arg.find('=');
  if (at == std::string_view::npos) return {arg, std::nullopt};
  return {arg.substr(0, at), arg.substr(at + 1)};
}

Match require_flag(Commands command, std::string_view name) {
  const std::string wanted = normalise(name);
  if (const auto match = find_flag(command, wanted)) return *match;
  throw UsageError(compose("unknown flag {}; the nearest is {}", quote(name), nearest_flag(command, wanted)));
}

/// The value of a flag, from behind its "=" or from the next argument, in which case `next` moves on.
std::string take_value(const Flag& flag, const Written& written, std::span<const std::string_view> args,
                       std::size_t& next) {
  std::string_view value;
  if (written.value) {
    value = *written.value;
  } else if (flag.value == ValueKind::MaybeWord) {
    const bool follows = next < args.size() && contains(flag.words, args[next]);
    value = follows ? args[next++] : split_words(flag.words).front();
  } else if (next < args.size()) {
    value = args[next++];
  } else {
    const std::string allowed = allowed_values(flag);
    throw UsageError(compose("{} needs a value{}{}", written.name, allowed.empty() ? "" : ": ", allowed));
  }
  if (!is_allowed(flag, value)) {
    throw UsageError(compose("{}: value {}; allowed: {}", written.name, quote(value), allowed_values(flag)));
  }
  return std::string(value);
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

std::string_view nearest_flag(Commands command, std::string_view name) {
  std::string_view nearest;
  std::size_t least = SIZE_MAX;
  for (const Flag& flag : flag_table()) {
    if ((flag.commands & command) == 0) continue;
    for (const std::string_view list : {flag.names, flag.negatives}) {
      for (const std::string_view known : split_words(list)) {
        const std::size_t distance = edit_distance(name, known);
        if (distance < least) {
          least = distance;
          nearest = known;
        }
      }
    }
  }
  return nearest;
}

Arguments Arguments::parse(Commands command, std::span<const std::string_view> args) {
  Arguments out;
  std::size_t next = 0;
  while (next < args.size()) {
    const std::string_view arg = args[next++];
    if (arg == "--") {
      out.words_.insert(out.words_.end(), args.begin() + static_cast<std::ptrdiff_t>(next), args.end());
      break;
    }
    if (arg.size() < 2 || arg[0] != '-') {
      out.words_.emplace_back(arg);
      continue;
    }
    const Written written = split_at_equals(arg);
    const auto [flag, negative] = require_flag(command, written.name);
    std::string value = negative ? "off" : "on";
    if (flag->value != ValueKind::None) {
      value = take_value(*flag, written, args, next);
    } else if (written.value) {
      throw UsageError(compose("{} takes no value, found {}", written.name, quote(*written.value)));
    }
    out.values_[flag->option].push_back(std::move(value));
    if (flag->option == Option::Ignored) out.ignored_.emplace_back(written.name, flag);
  }
  return out;
}

bool Arguments::is_on(Option option) const { return text(option) == "on"; }

std::string_view Arguments::text(Option option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? flag_of(option).initial : std::string_view(found->second.back());
}

std::int64_t Arguments::integer(Option option) const {
  const auto number = parse_number<std::int64_t>(text(option));
  assert(number);
  return *number;
}

double Arguments::real(Option option) const {
  const auto number = parse_number<double>(text(option));
  assert(number);
  return *number;
}

std::span<const std::string> Arguments::all(Option option) const {
  const auto found = values_.find(option);
  if (found == values_.end()) return {};
  return found->second;
}

std::vector<std::string> Arguments::notes() const {
  std::vector<std::pair<std::string_view, std::string>> by_reason;
  for (const auto& [name, flag] : ignored_) {
    const auto same = std::find_if(by_reason.begin(), by_reason.end(),
                                   [&, f = flag](const auto& entry) { return entry.first == f->help; });
    if (same == by_reason.end()) {
      by_reason.emplace_back(flag->help, name);
    } else {
      same->second += ", " + name;
    }
  }
  std::vector<std::string> lines;
  for (const auto& [reason, names] : by_reason) lines.push_back(compose("ignored: {} ({})", names, reason));
  return lines;
}

}  // namespace armature::tools
