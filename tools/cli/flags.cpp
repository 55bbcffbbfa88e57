#include "tools/cli/flags.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/commands.h"
#include "tools/cli/values.h"

namespace armature::tools {
namespace {

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
    if (contains_word(flag.names, name)) return Match{&flag, false};
    if (contains_word(flag.negatives, name)) return Match{&flag, true};
  }
  return std::nullopt;
}

/// Commands that have a flag of this name.
std::string commands_with(std::string_view name) {
  std::string names;
  for (const Command& command : commands()) {
    if (find_flag(command.bit, name)) names += compose("{}{}", names.empty() ? "" : ", ", command.name);
  }
  return names;
}

UsageError unknown_flag(Commands command, std::string_view written, std::string_view name) {
  const std::string others = commands_with(name);
  if (!others.empty())
    return UsageError(compose("{} is not a flag of this command, but of {}", name, others));
  const std::string_view nearest = nearest_flag(command, name);
  return UsageError(compose("unknown flag {}; {}{}", quote(written),
                            nearest.empty() ? "--help lists the flags" : "the nearest is ", nearest));
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

Match require_flag(Commands command, std::string_view written) {
  const std::string name = normalise(written);
  if (const auto match = find_flag(command, name)) return *match;
  throw unknown_flag(command, written, name);
}

/// The arguments that have not been read.
struct Rest {
  std::span<const std::string_view> args;
  bool empty() const { return args.empty(); }
  std::string_view take() {
    const std::string_view first = args.front();
    args = args.subspan(1);
    return first;
  }
};

bool looks_like_flag(std::string_view arg) {
  return arg.size() > 1 && arg[0] == '-' && !(arg[1] >= '0' && arg[1] <= '9');
}

bool share_word(std::string_view a, std::string_view b) {
  const auto words = split_words(a);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return contains_word(b, word); });
}

/// The value of a flag that may go without, if the next argument is one. A word there that is none would be
/// taken for a part of the prompt.
std::string_view take_word(const Flag& flag, const Written& written, Rest& rest) {
  if (rest.empty() || looks_like_flag(rest.args.front())) return split_words(flag.words).front();
  const std::string_view word = rest.take();
  if (contains_word(flag.words, word)) return word;
  throw UsageError(compose("{}: value {}; allowed: {}; words that are no value go before the flag",
                           written.name, quote(word), allowed_values(flag)));
}

/// The value of a flag, from behind its "=" or from the next argument.
std::string take_value(const Flag& flag, const Written& written, Rest& rest) {
  std::string_view value;
  if (written.value) {
    value = *written.value;
  } else if (flag.value == ValueKind::MaybeWord) {
    value = take_word(flag, written, rest);
  } else if (flag.value == ValueKind::MaybeText) {
    const bool follows = !rest.empty() && !looks_like_flag(rest.args.front());
    value = follows ? rest.take() : split_words(flag.words).front();
  } else if (!rest.empty()) {
    value = rest.take();
  } else {
    const std::string allowed = allowed_values(flag);
    throw UsageError(compose("{} needs a value{}{}", written.name, allowed.empty() ? "" : ": ", allowed));
  }
  if (!is_allowed(flag, value)) throw bad_value(flag, written.name, value);
  return std::string(value);
}

/// What a flag without value says.
std::string take_switch(const Written& written, bool negative) {
  if (written.value)
    throw UsageError(compose("{} takes no value, found {}", written.name, quote(*written.value)));
  return negative ? "off" : "on";
}

/// Takes the value of a refused flag if it asks for nothing. Throws UsageError otherwise.
void pass_over(const Flag& flag, const Written& written, Rest& rest) {
  const bool follows = !written.value && !flag.words.empty() && !rest.empty();
  const auto value = follows ? std::optional(rest.take()) : written.value;
  if (!value || !asks_for_nothing(flag, *value)) throw refusal(flag, written.name);
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

Arguments Arguments::parse(Commands command, std::span<const std::string_view> args) {
  Arguments out;
  Rest rest{args};
  while (!rest.empty()) {
    const std::string_view arg = rest.take();
    if (arg == "--") {
      out.words_.insert(out.words_.end(), rest.args.begin(), rest.args.end());
      break;
    }
    if (arg.size() < 2 || arg[0] != '-') {
      out.words_.emplace_back(arg);
      continue;
    }
    const Written written = split_at_equals(arg);
    const auto [flag, negative] = require_flag(command, written.name);
    if (flag->option == Option::Refused) {
      pass_over(*flag, written, rest);
    } else if (flag->value == ValueKind::None) {
      out.set(*flag, written.name, take_switch(written, negative));
    } else {
      out.set(*flag, written.name, take_value(*flag, written, rest));
    }
  }
  return out;
}

void Arguments::set(const Flag& flag, std::string_view name, std::string value) {
  if (flag.option == Option::Ignored) {
    ignored_.emplace_back(name, &flag);
    return;
  }
  Given& given = values_[flag.option];
  given.flag = &flag;
  given.name = name;
  given.values.push_back(std::move(value));
  if (given.decides()) overrule(given);
}

/// The value that stands for the flag's absence leaves the decision to others.
bool Arguments::Given::decides() const {
  return !flag->sets.empty() && (flag->value == ValueKind::None || values.back() != flag->initial);
}

void Arguments::overrule(const Given& given) {
  std::erase_if(values_, [&](const auto& entry) {
    const Given& other = entry.second;
    if (&other == &given || !other.decides() || !share_word(other.flag->sets, given.flag->sets)) return false;
    overruled_.push_back(compose("{} has no effect: {} after it decides the same", other.name, given.name));
    return true;
  });
}

bool Arguments::is_decided(const Flag& flag) const {
  return std::any_of(values_.begin(), values_.end(), [&](const auto& entry) {
    return entry.second.decides() && share_word(entry.second.flag->sets, flag.sets);
  });
}

bool Arguments::is_from_environment(Option option) const {
  const auto found = values_.find(option);
  return found != values_.end() && !found->second.name.starts_with('-');
}

bool Arguments::is_on(Option option) const { return text(option) == "on"; }

std::string_view Arguments::text(Option option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? flag_of(option).initial : std::string_view(found->second.values.back());
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
  return found->second.values;
}

std::string_view Arguments::name_of(Option option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? split_words(flag_of(option).names).front() : found->second.name;
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
  lines.insert(lines.end(), overruled_.begin(), overruled_.end());
  lines.insert(lines.end(), not_honoured_.begin(), not_honoured_.end());
  return lines;
}

}  // namespace armature::tools
