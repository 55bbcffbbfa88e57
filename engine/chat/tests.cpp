#include "engine/chat/builtins.h"
#include "engine/chat/operators.h"
#include "engine/chat/text_functions.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

using ast::Operator;

template <Operator op>
bool compares(Context& context, const Value& subject, const Arguments& arguments) {
  return compare(context, op, subject, bind(context, arguments, {"other"}, 1)[0]);
}

bool is_divisible(Context& context, const Value& subject, const Arguments& arguments) {
  const Value divisor = bind(context, arguments, {"num"}, 1)[0];
  return equal(context, arithmetic(context, Operator::modulo, subject, divisor), Value(std::int64_t{0}));
}

bool is_odd(Context& context, const Value& subject, const Arguments&) {
  return require_integer(context, subject, "an odd or even number") % 2 != 0;
}

bool is_same(Context& context, const Value& subject, const Arguments& arguments) {
  const Value other = bind(context, arguments, {"other"}, 1)[0];
  return subject.kind() == other.kind() && equal(context, subject, other);
}

bool is_iterable(Context&, const Value& v, const Arguments&) {
  return v.is_string() || v.as_list() || v.as_dict() || v.is_undefined();
}

bool is_number(Context&, const Value& v, const Arguments&) { return to_number(v).has_value(); }

bool is_true(Context&, const Value& v, const Arguments&) { return v.as_bool() && *v.as_bool(); }
bool is_false(Context&, const Value& v, const Arguments&) { return v.as_bool() && !*v.as_bool(); }

bool is_upper(Context& context, const Value& v, const Arguments&) {
  const Text& text = require_text(context, v, "the subject of 'upper'");
  return equal(context, v, change_case(context, text, Case::upper)) &&
         !equal(context, v, change_case(context, text, Case::lower));
}

bool is_lower(Context& context, const Value& v, const Arguments&) {
  const Text& text = require_text(context, v, "the subject of 'lower'");
  return equal(context, v, change_case(context, text, Case::lower)) &&
         !equal(context, v, change_case(context, text, Case::upper));
}

struct Row {
  std::string_view name;
  Test test;
};

constexpr Row kTests[] = {
    {"defined", [](Context&, const Value& v, const Arguments&) { return !v.is_undefined(); }},
    {"undefined", [](Context&, const Value& v, const Arguments&) { return v.is_undefined(); }},
    {"none", [](Context&, const Value& v, const Arguments&) { return v.is_none(); }},
    {"string", [](Context&, const Value& v, const Arguments&) { return v.is_string(); }},
    {"mapping", [](Context&, const Value& v, const Arguments&) { return v.as_dict() != nullptr; }},
    {"iterable", is_iterable},
    {"sequence", is_iterable},
    {"number", is_number},
    {"integer", [](Context&, const Value& v, const Arguments&) { return v.as_int() != nullptr; }},
    {"float", [](Context&, const Value& v, const Arguments&) { return v.as_float() != nullptr; }},
    {"boolean", [](Context&, const Value& v, const Arguments&) { return v.as_bool() != nullptr; }},
    {"true", is_true},
    {"false", is_false},
    {"odd", is_odd},
    {"even", [](Context& c, const Value& v, const Arguments& a) { return !is_odd(c, v, a); }},
    {"divisibleby", is_divisible},
    {"sameas", is_same},
    {"upper", is_upper},
    {"lower", is_lower},
    {"callable", [](Context&, const Value& v,
                    const Arguments&) { return dynamic_cast<const Callable*>(v.as_object()) != nullptr; }},
    {"equalto", compares<Operator::equal>},
    {"eq", compares<Operator::equal>},
    {"==", compares<Operator::equal>},
    {"ne", compares<Operator::not_equal>},
    {"!=", compares<Operator::not_equal>},
    {"lt", compares<Operator::less>},
    {"lessthan", compares<Operator::less>},
    {"<", compares<Operator::less>},
    {"le", compares<Operator::less_equal>},
    {"<=", compares<Operator::less_equal>},
    {"gt", compares<Operator::greater>},
    {"greaterthan", compares<Operator::greater>},
    {">", compares<Operator::greater>},
    {"ge", compares<Operator::greater_equal>},
    {">=", compares<Operator::greater_equal>},
    {"in", compares<Operator::in>},
};

}  // namespace

Test require_test(const Context& context, std::string_view name) {
  for (const Row& row : kTests) {
    if (row.name == name) return row.test;
  }
  context.fail("there is no test " + quote(name));
}

}  // namespace armature::chat
