#include <charconv>
#include <cmath>

#include "engine/chat/builtins.h"
#include "engine/chat/json.h"
#include "engine/chat/list_filters.h"
#include "engine/chat/operators.h"
#include "engine/chat/print.h"
#include "engine/chat/text_format.h"
#include "engine/chat/text_functions.h"
#include "engine/chat/utf8.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

// Filters for strings take any value and work on what it would print as.

Value trim(Context& context, const Value& subject, const Arguments& arguments) {
  return strip(context, to_text(context, subject), Side::both, bind(context, arguments, {"chars"})[0]);
}

template <Case to>
Value case_filter(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  return change_case(context, to_text(context, subject), to);
}

Value replace_filter(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"old", "new", "count"}, 2);
  return replace(context, to_text(context, subject), to_text(context, bound[0]), to_text(context, bound[1]),
                 !is_absent(bound[2]) ? require_integer(context, bound[2], "count") : -1);
}

Value string_filter(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  return subject.is_string() ? subject : Value(to_text(context, subject));
}

Value unchanged(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  return subject;
}

std::size_t spaces_of(const Context& context, const Value& value) {
  const std::int64_t n = require_integer(context, value, "an indentation");
  if (n < 0 || n > 1000) context.fail("an indentation must be 0 to 1000");
  return static_cast<std::size_t>(n);
}

/// Lines after the first indented; `first` and `blank` say whether the first line and empty ones are, too.
Value indent(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"width", "first", "blank"});
  const Text text = to_text(context, subject);
  Text margin(std::string(4, ' '), Text::Origin::written);
  if (bound[0].is_string()) {
    margin = *bound[0].as_text();
  } else if (!bound[0].is_undefined()) {
    margin = Text(std::string(spaces_of(context, bound[0]), ' '), Text::Origin::written);
  }
  TextBuilder result(context);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.bytes().find('\n', begin), text.size());
    const bool wanted = begin == 0 ? bound[1].truthy() : begin != end || bound[2].truthy();
    if (wanted) result.append(margin);
    result.append(text, {begin, std::min(end + 1, text.size())});
    begin = end + 1;
  }
  return result.value();
}

/// Item and key separator of `separators`, a list of the two, else Python's.
void set_separators(Context& context, JsonStyle& style, const Value& separators) {
  if (is_absent(separators)) {
    style.item_separator = Text(style.indent ? "," : ", ", Text::Origin::written);
    style.key_separator = Text(": ", Text::Origin::written);
    return;
  }
  const List* pair = separators.as_list();
  if (!pair || pair->items().size() != 2)
    context.fail("the separators of JSON must be a list of two strings");
  style.item_separator = require_text(context, pair->items()[0], "a separator");
  style.key_separator = require_text(context, pair->items()[1], "a separator");
}

/// The arguments of the filter that model publishers render with, in its order.
Value tojson(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound =
      bind(context, arguments, {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ascii = bound[0].truthy();
  if (!is_absent(bound[1])) style.indent = spaces_of(context, bound[1]);
  set_separators(context, style, bound[2]);
  style.sorted = bound[3].truthy();
  TextBuilder result(context);
  print_json(result, subject, style);
  return result.value();
}

Value format_filter(Context& context, const Value& subject, const Arguments& arguments) {
  return format_percent(context, to_text(context, subject), arguments);
}

Value length(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  return Value(length_of(context, subject));
}

Value fallback(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"default_value", "boolean"});
  const bool keep = bound[1].truthy() ? subject.truthy() : !subject.is_undefined();
  if (keep) return subject;
  return bound[0].is_undefined() ? Value(Text()) : bound[0];
}

/// The text of a number without white space around it, read whole.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
  const std::size_t begin = skip_space_front(text, 0);
  text = text.substr(begin, std::max(begin, skip_space_back(text, text.size())) - begin);
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> truncated(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (!(number > -kLimit && number < kLimit)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

Value to_int(Context& context, const Value& subject, const Arguments& arguments) {
  const Value otherwise = bind(context, arguments, {"default"})[0];
  std::optional<std::int64_t> number = to_integer(subject);
  if (const double* real = subject.as_float()) number = truncated(*real);
  if (const Text* text = subject.as_text()) {
    context.charge(text->size());
    number = read_number<std::int64_t>(text->bytes());
    if (const auto real = read_number<double>(text->bytes()); !number && real) number = truncated(*real);
  }
  if (number) return Value(*number);
  return otherwise.is_undefined() ? Value(std::int64_t{0}) : otherwise;
}

Value to_float(Context& context, const Value& subject, const Arguments& arguments) {
  const Value otherwise = bind(context, arguments, {"default"})[0];
  std::optional<double> number = to_number(subject);
  if (const Text* text = subject.as_text()) {
    context.charge(text->size());
    number = read_number<double>(text->bytes());
  }
  if (number) return Value(*number);
  return otherwise.is_undefined() ? Value(0.0) : otherwise;
}

Value absolute(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  const auto number = to_number(subject);
  if (!number) context.fail("the absolute value of " + describe(subject));
  return std::signbit(*number) ? negate(context, subject) : subject;
}

struct Row {
  std::string_view name;
  Filter filter;
};

constexpr Row kFilters[] = {
    {"abs", absolute},
    {"capitalize", case_filter<Case::capital>},
    {"count", length},
    {"d", fallback},
    {"default", fallback},
    {"float", to_float},
    {"format", format_filter},
    {"indent", indent},
    {"int", to_int},
    {"length", length},
    {"lower", case_filter<Case::lower>},
    {"replace", replace_filter},
    {"safe", unchanged},
    {"string", string_filter},
    {"title", case_filter<Case::words>},
    {"tojson", tojson},
    {"trim", trim},
    {"upper", case_filter<Case::upper>},
};

}  // namespace

Filter require_filter(const Context& context, std::string_view name) {
  for (const Row& row : kFilters) {
    if (row.name == name) return row.filter;
  }
  if (const Filter filter = find_list_filter(name)) return filter;
  context.fail("there is no filter " + quote(name));
}

}  // namespace armature::chat
