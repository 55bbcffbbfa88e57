#include "engine/chat/operators.h"

#include <algorithm>
#include <cmath>
#include <compare>

#include "engine/chat/find_text.h"
#include "engine/chat/text_format.h"
#include "gguf/error.h"

namespace armature::chat {

using ast::Operator;

namespace {

std::string_view spelling(Operator op) {
  switch (op) {
    case Operator::add:
      return "+";
    case Operator::subtract:
      return "-";
    case Operator::multiply:
      return "*";
    case Operator::divide:
      return "/";
    case Operator::floor_divide:
      return "//";
    case Operator::modulo:
      return "%";
    case Operator::power:
      return "**";
    case Operator::equal:
      return "==";
    case Operator::not_equal:
      return "!=";
    case Operator::less:
      return "<";
    case Operator::less_equal:
      return "<=";
    case Operator::greater:
      return ">";
    case Operator::greater_equal:
      return ">=";
    case Operator::in:
      return "in";
    case Operator::not_in:
      return "not in";
  }
  return "?";
}

[[noreturn]] void fail_kinds(const Context& context, Operator op, const Value& a, const Value& b) {
  context.fail(quote(spelling(op)) + " is not possible between " + describe(a) + " and " + describe(b));
}

bool equal_lists(Context& context, const List& a, const List& b) {
  if (a.is_tuple() != b.is_tuple() || a.items().size() != b.items().size()) return false;
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    if (!equal(context, a.items()[i], b.items()[i])) return false;
  }
  return true;
}

bool equal_dicts(Context& context, const Dict& a, const Dict& b) {
  if (a.entries().size() != b.entries().size()) return false;
  for (const auto& [key, value] : a.entries()) {
    if (const Text* text = key.as_text()) context.charge(text->size());
    const Value* other = b.find(key);
    if (!other || !equal(context, value, *other)) return false;
  }
  return true;
}

std::int64_t integer_power(Context& context, std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) {
      context.fail("an integer that is too large");
    }
    if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
      context.fail("an integer that is too large");
  }
  return result;
}

/// Rounds towards minus infinity, as Python does; the remainder has the sign of the divisor.
std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

Value integer_arithmetic(Context& context, Operator op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  bool overflow = false;
  switch (op) {
    case Operator::add:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Operator::subtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Operator::multiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Operator::power:
      result = integer_power(context, a, b);
      break;
    default:  // division
      if (b == -1) {
        overflow = op == Operator::floor_divide && __builtin_sub_overflow(std::int64_t{0}, a, &result);
      } else {
        const std::int64_t quotient = floor_quotient(a, b);
        result = op == Operator::floor_divide ? quotient : a - quotient * b;
      }
  }
  if (overflow) context.fail("an integer that is too large");
  return Value(result);
}

Value float_arithmetic(Operator op, double a, double b) {
  switch (op) {
    case Operator::add:
      return Value(a + b);
    case Operator::subtract:
      return Value(a - b);
    case Operator::multiply:
      return Value(a * b);
    case Operator::divide:
      return Value(a / b);
    case Operator::floor_divide:
      return Value(std::floor(a / b));
    case Operator::power:
      return Value(std::pow(a, b));
    default: {
      const double rest = std::fmod(a, b);
      return Value(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
    }
  }
}

Value join_lists(Context& context, const List& a, const List& b) {
  context.charge_values(a.items().size() + b.items().size());
  std::vector<Value> items = a.items();
  items.insert(items.end(), b.items().begin(), b.items().end());
  return context.sequence(std::move(items), a);
}

/// '%s' % x, where a tuple stands for several values and a dict for named ones.
Value percent(Context& context, const Text& format, const Value& values) {
  Arguments arguments{{values}, {}};
  if (const List* list = values.as_list(); list && list->is_tuple()) arguments.positional = list->items();
  if (const Dict* dict = values.as_dict()) {
    for (const auto& [key, value] : dict->entries()) {
      if (const Text* name = key.as_text()) arguments.named.emplace_back(name->bytes(), value);
    }
  }
  return format_percent(context, format, arguments);
}

/// 'ab' * 3 and [0] * 3; nothing for other kinds.
std::optional<Value> repeat(Context& context, const Value& value, std::int64_t times) {
  if (const Text* text = value.as_text()) {
    TextBuilder result(context);
    for (std::int64_t i = 0; i < times && !text->empty(); ++i) result.append(*text);
    return result.value();
  }
  if (const List* list = value.as_list()) {
    std::vector<Value> items;
    for (std::int64_t i = 0; i < times && !list->items().empty(); ++i) {
      context.charge_values(list->items().size());
      items.insert(items.end(), list->items().begin(), list->items().end());
    }
    return context.sequence(std::move(items), *list);
  }
  return std::nullopt;
}

int sign_of(std::strong_ordering ordering) { return ordering < 0 ? -1 : ordering > 0 ? 1 : 0; }

}  // namespace

std::optional<std::int64_t> to_integer(const Value& value) {
  if (const bool* flag = value.as_bool()) return *flag ? 1 : 0;
  if (const std::int64_t* number = value.as_int()) return *number;
  return std::nullopt;
}

std::optional<double> to_number(const Value& value) {
  if (const double* number = value.as_float()) return *number;
  if (const auto integer = to_integer(value)) return static_cast<double>(*integer);
  return std::nullopt;
}

bool equal(Context& context, const Value& a, const Value& b) {
  context.charge_values(1);
  const auto integer_a = to_integer(a), integer_b = to_integer(b);
  if (integer_a && integer_b) return *integer_a == *integer_b;
  const auto number_a = to_number(a), number_b = to_number(b);
  if (number_a && number_b) return *number_a == *number_b;
  const Text *text_a = a.as_text(), *text_b = b.as_text();
  if (text_a && text_b) {
    if (text_a->size() != text_b->size()) return false;
    context.charge(text_a->size());
    return text_a->bytes() == text_b->bytes();
  }
  if (a.as_list() && b.as_list()) return equal_lists(context, *a.as_list(), *b.as_list());
  if (a.as_dict() && b.as_dict()) return equal_dicts(context, *a.as_dict(), *b.as_dict());
  if (a.as_object() && b.as_object()) return a.as_object() == b.as_object();
  return (a.is_none() && b.is_none()) || (a.is_undefined() && b.is_undefined());
}

std::optional<int> order(Context& context, const Value& a, const Value& b) {
  context.charge_values(1);
  const auto integer_a = to_integer(a), integer_b = to_integer(b);
  if (integer_a && integer_b) return sign_of(*integer_a <=> *integer_b);
  if (const auto x = to_number(a), y = to_number(b); x && y) {
    if (std::isnan(*x) || std::isnan(*y)) return std::nullopt;
    return *x < *y ? -1 : *x > *y ? 1 : 0;
  }
  if (a.as_text() && b.as_text()) {
    context.charge(std::min(a.as_text()->size(), b.as_text()->size()));
    return sign_of(a.as_text()->bytes() <=> b.as_text()->bytes());
  }
  if (a.as_list() && b.as_list() && a.as_list()->is_tuple() == b.as_list()->is_tuple()) {
    const auto &x = a.as_list()->items(), &y = b.as_list()->items();
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      if (!equal(context, x[i], y[i])) return order(context, x[i], y[i]);
    }
    return sign_of(x.size() <=> y.size());
  }
  fail_kinds(context, Operator::less, a, b);
}

bool contains(Context& context, const Value& container, const Value& item) {
  if (const Text* text = container.as_text()) {
    if (!item.as_text()) fail_kinds(context, Operator::in, item, container);
    return find_text(context, text->bytes(), item.as_text()->bytes(), 0) != std::string_view::npos;
  }
  if (const List* list = container.as_list()) {
    for (const Value& candidate : list->items()) {
      if (equal(context, candidate, item)) return true;
    }
    return false;
  }
  if (const Dict* dict = container.as_dict()) {
    if (const Text* text = item.as_text()) context.charge(text->size());
    return dict->find(item) != nullptr;
  }
  if (container.is_undefined()) return false;
  fail_kinds(context, Operator::in, item, container);
}

bool compare(Context& context, Operator op, const Value& a, const Value& b) {
  switch (op) {
    case Operator::equal:
      return equal(context, a, b);
    case Operator::not_equal:
      return !equal(context, a, b);
    case Operator::in:
      return contains(context, b, a);
    case Operator::not_in:
      return !contains(context, b, a);
    default:
      break;
  }
  const std::optional<int> ordering = order(context, a, b);
  if (!ordering) return false;
  switch (op) {
    case Operator::less:
      return *ordering < 0;
    case Operator::less_equal:
      return *ordering <= 0;
    case Operator::greater:
      return *ordering > 0;
    default:
      return *ordering >= 0;
  }
}

Value arithmetic(Context& context, Operator op, const Value& a, const Value& b) {
  const auto integer_a = to_integer(a), integer_b = to_integer(b);
  const auto number_a = to_number(a), number_b = to_number(b);
  if (number_a && number_b) {
    const bool divides = op == Operator::divide || op == Operator::floor_divide || op == Operator::modulo;
    if (divides && *number_b == 0) context.fail("division by zero");
    const bool stays_integer = op != Operator::divide && !(op == Operator::power && *number_b < 0);
    if (integer_a && integer_b && stays_integer)
      return integer_arithmetic(context, op, *integer_a, *integer_b);
    return float_arithmetic(op, *number_a, *number_b);
  }
  if (op == Operator::add && a.as_text() && b.as_text()) {
    TextBuilder sum(context);
    sum.append(*a.as_text());
    sum.append(*b.as_text());
    return sum.value();
  }
  if (op == Operator::modulo && a.as_text()) return percent(context, *a.as_text(), b);
  if (op == Operator::add && a.as_list() && b.as_list() && a.as_list()->is_tuple() == b.as_list()->is_tuple())
    return join_lists(context, *a.as_list(), *b.as_list());
  if (op == Operator::multiply && (integer_a || integer_b)) {
    const auto repeated = integer_b ? repeat(context, a, *integer_b) : repeat(context, b, *integer_a);
    if (repeated) return *repeated;
  }
  fail_kinds(context, op, a, b);
}

Value negate(Context& context, const Value& value) {
  if (const double* number = value.as_float()) return Value(-*number);
  if (const auto integer = to_integer(value)) {
    return integer_arithmetic(context, Operator::subtract, 0, *integer);
  }
  context.fail("a sign is not possible in front of " + describe(value));
}

}  // namespace armature::chat
