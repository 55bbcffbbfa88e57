#include <algorithm>

#include "engine/chat/builtins.h"
#include "engine/chat/find_text.h"
#include "engine/chat/operators.h"
#include "engine/chat/text_format.h"
#include "engine/chat/text_functions.h"
#include "engine/chat/utf8.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

using TextMethod = Value (*)(Context& context, const Text& text, const Arguments& arguments);
using DictMethod = Value (*)(Context& context, const Dict& dict, const Arguments& arguments);

template <Side side>
Value strip_method(Context& context, const Text& text, const Arguments& arguments) {
  return strip(context, text, side, bind(context, arguments, {"chars"})[0]);
}

template <Side from>
Value split_method(Context& context, const Text& text, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"sep", "maxsplit"});
  const std::int64_t n = bound[1].is_undefined() ? -1 : require_integer(context, bound[1], "maxsplit");
  return split(context, text, bound[0], n, from);
}

template <Case to>
Value case_method(Context& context, const Text& text, const Arguments& arguments) {
  bind(context, arguments, {});
  return change_case(context, text, to);
}

Value lines_method(Context& context, const Text& text, const Arguments& arguments) {
  bind(context, arguments, {});
  return split_lines(context, text);
}

Value replace_method(Context& context, const Text& text, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"old", "new", "count"}, 2);
  const std::int64_t n = bound[2].is_undefined() ? -1 : require_integer(context, bound[2], "count");
  return replace(context, text, require_text(context, bound[0], "what is replaced"),
                 require_text(context, bound[1], "the replacement"), n);
}

Value join_method(Context& context, const Text& text, const Arguments& arguments) {
  const Value items = bind(context, arguments, {"items"}, 1)[0];
  return join(context, items, text);
}

/// Whether `matches` holds for the argument, or for one of them when it is a list.
template <class Matches>
Value any_affix(Context& context, const Arguments& arguments, Matches matches) {
  const Value affixes = bind(context, arguments, {"affix"}, 1)[0];
  const auto check = [&](const Value& affix) {
    const Text& text = require_text(context, affix, "the start or end of a string");
    context.charge(text.size());
    return matches(text.bytes());
  };
  if (!affixes.as_list()) return Value(check(affixes));
  const auto& items = affixes.as_list()->items();
  return Value(std::any_of(items.begin(), items.end(), check));
}

Value starts_with(Context& context, const Text& text, const Arguments& arguments) {
  return any_affix(context, arguments,
                   [&](const std::string& part) { return text.bytes().starts_with(part); });
}

Value ends_with(Context& context, const Text& text, const Arguments& arguments) {
  return any_affix(context, arguments, [&](const std::string& part) { return text.bytes().ends_with(part); });
}

/// The place in characters, or -1.
Value find_method(Context& context, const Text& text, const Arguments& arguments) {
  const Value bound = bind(context, arguments, {"sub"}, 1)[0];
  const Text& part = require_text(context, bound, "what is looked for");
  const std::size_t found = find_text(context, text.bytes(), part.bytes(), 0);
  if (found == std::string_view::npos) return Value(std::int64_t{-1});
  return Value(static_cast<std::int64_t>(count_characters(std::string_view(text.bytes()).substr(0, found))));
}

Value index_method(Context& context, const Text& text, const Arguments& arguments) {
  const Value found = find_method(context, text, arguments);
  if (*found.as_int() < 0) context.fail("'index' does not find the text");
  return found;
}

Value count_method(Context& context, const Text& text, const Arguments& arguments) {
  const Value bound = bind(context, arguments, {"sub"}, 1)[0];
  const Text& part = require_text(context, bound, "what is counted");
  if (part.empty()) return Value(length_of(context, Value(text)) + 1);
  std::int64_t count = 0;
  std::size_t at = find_text(context, text.bytes(), part.bytes(), 0);
  for (; at != std::string_view::npos; ++count) {
    at = find_text(context, text.bytes(), part.bytes(), at + part.size());
  }
  return Value(count);
}

Value remove_prefix(Context& context, const Text& text, const Arguments& arguments) {
  const Value bound = bind(context, arguments, {"prefix"}, 1)[0];
  const Text& part = require_text(context, bound, "a prefix");
  context.charge(text.size());
  return Value(text.slice({text.bytes().starts_with(part.bytes()) ? part.size() : 0, text.size()}));
}

Value remove_suffix(Context& context, const Text& text, const Arguments& arguments) {
  const Value bound = bind(context, arguments, {"suffix"}, 1)[0];
  const Text& part = require_text(context, bound, "a suffix");
  context.charge(text.size());
  return Value(text.slice({0, text.size() - (text.bytes().ends_with(part.bytes()) ? part.size() : 0)}));
}

template <bool (*holds)(char)>
Value all_method(Context& context, const Text& text, const Arguments& arguments) {
  bind(context, arguments, {});
  context.charge(text.size());
  return Value(!text.empty() && std::all_of(text.bytes().begin(), text.bytes().end(), holds));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Value items_of_dict(Context& context, const Dict& dict, const Arguments& arguments) {
  bind(context, arguments, {});
  std::vector<Value> items;
  for (const auto& [key, value] : dict.entries()) items.push_back(context.tuple({key, value}));
  return context.list(std::move(items));
}

Value keys_of_dict(Context& context, const Dict& dict, const Arguments& arguments) {
  bind(context, arguments, {});
  std::vector<Value> keys;
  for (const auto& [key, value] : dict.entries()) keys.push_back(key);
  return context.list(std::move(keys));
}

Value values_of_dict(Context& context, const Dict& dict, const Arguments& arguments) {
  bind(context, arguments, {});
  std::vector<Value> values;
  for (const auto& [key, value] : dict.entries()) values.push_back(value);
  return context.list(std::move(values));
}

Value get_from_dict(Context& context, const Dict& dict, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"key", "default"}, 1);
  if (const Value* found = dict.find(bound[0])) return *found;
  return bound[1].is_undefined() ? Value::none() : bound[1];
}

template <class Method>
struct Row {
  std::string_view name;
  Method method;
};

constexpr Row<TextMethod> kTextMethods[] = {
    {"strip", strip_method<Side::both>},
    {"lstrip", strip_method<Side::left>},
    {"rstrip", strip_method<Side::right>},
    {"split", split_method<Side::left>},
    {"rsplit", split_method<Side::right>},
    {"splitlines", lines_method},
    {"startswith", starts_with},
    {"endswith", ends_with},
    {"replace", replace_method},
    {"join", join_method},
    {"find", find_method},
    {"format", format_braces},
    {"index", index_method},
    {"count", count_method},
    {"upper", case_method<Case::upper>},
    {"lower", case_method<Case::lower>},
    {"capitalize", case_method<Case::capital>},
    {"title", case_method<Case::title>},
    {"removeprefix", remove_prefix},
    {"removesuffix", remove_suffix},
    {"isdigit", all_method<is_digit>},
};

constexpr Row<DictMethod> kDictMethods[] = {
    {"items", items_of_dict},
    {"keys", keys_of_dict},
    {"values", values_of_dict},
    {"get", get_from_dict},
};

}  // namespace

Value call_method(Context& context, const Value& subject, std::string_view name, const Arguments& arguments) {
  if (const Text* text = subject.as_text()) {
    for (const auto& row : kTextMethods) {
      if (row.name == name) return row.method(context, *text, arguments);
    }
  }
  if (const Dict* dict = subject.as_dict()) {
    for (const auto& row : kDictMethods) {
      if (row.name == name) return row.method(context, *dict, arguments);
    }
  }
  context.fail("there is no method " + quote(name) + " of " + describe(subject));
}

}  // namespace armature::chat
