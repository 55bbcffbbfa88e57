#include "engine/chat/list_filters.h"

#include <algorithm>
#include <charconv>

#include "engine/chat/operators.h"
#include "engine/chat/text_functions.h"

namespace armature::chat {
namespace {

/// The attribute `path` names, e.g. "a", "a.b" or "0"; the value itself when it is undefined or none.
Value look_up(Context& context, const Value& value, const Value& path) {
  if (path.is_undefined() || path.is_none()) return value;
  if (to_integer(path)) return item_of(context, value, path);
  std::string_view rest = require_text(context, path, "an attribute").bytes();
  context.charge(rest.size());
  Value found = value;
  while (true) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const std::string_view name = rest.substr(0, dot);
    std::int64_t index = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), index);
    const bool is_index = fault == std::errc{} && end == name.data() + name.size();
    found = is_index ? item_of(context, found, Value(index)) : attribute_of(context, found, name);
    if (dot == rest.size()) return found;
    rest.remove_prefix(dot + 1);
  }
}

Value items(Context& context, const Value& subject, const Arguments& arguments) {
  if (subject.is_undefined()) return context.list({});
  if (!subject.as_dict()) context.fail("'items' wants a dict, not " + describe(subject));
  return call_method(context, subject, "items", arguments);
}

Value to_list(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  const Value elements = elements_of(context, subject);
  return elements.as_list()->is_tuple() ? context.list(elements.as_list()->items()) : elements;
}

Value first(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  const Value list = elements_of(context, subject);
  return list.truthy() ? list.as_list()->items().front() : Value::undefined("the first item");
}

Value last(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  const Value list = elements_of(context, subject);
  return list.truthy() ? list.as_list()->items().back() : Value::undefined("the last item");
}

Value join_filter(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"d", "attribute"});
  const Text separator = bound[0].is_undefined() ? Text() : require_text(context, bound[0], "a separator");
  if (bound[1].is_undefined()) return join(context, subject, separator);
  std::vector<Value> parts;
  const Value list = elements_of(context, subject);
  for (const Value& item : list.as_list()->items()) parts.push_back(look_up(context, item, bound[1]));
  return join(context, context.list(std::move(parts)), separator);
}

Value reverse(Context& context, const Value& subject, const Arguments& arguments) {
  bind(context, arguments, {});
  const Value sequence = subject.is_string() ? subject : elements_of(context, subject);
  return slice_of(context, sequence, {}, {}, Value(std::int64_t{-1}));
}

/// Takes the first positional argument, a name, off the arguments.
Value take_first(const Context& context, Arguments& arguments, std::string_view what) {
  if (arguments.positional.empty()) context.fail(std::string(what) + " is missing");
  Value taken = arguments.positional.front();
  arguments.positional.erase(arguments.positional.begin());
  return taken;
}

/// What map() and the selecting filters walk: they take none and all else that is false for empty.
Value elements_or_none(Context& context, const Value& subject) {
  return subject.truthy() ? elements_of(context, subject) : context.list({});
}

/// map(attribute='a') or map('filter', its arguments).
Value map(Context& context, const Value& subject, const Arguments& arguments) {
  const Value list = elements_or_none(context, subject);
  std::vector<Value> results;
  if (arguments.positional.empty()) {
    const std::vector<Value> bound = bind(context, arguments, {"attribute", "default"}, 1);
    for (const Value& item : list.as_list()->items()) {
      const Value found = look_up(context, item, bound[0]);
      results.push_back(found.is_undefined() ? bound[1] : found);
    }
    return context.list(std::move(results));
  }
  Arguments rest = arguments;
  const Value name = take_first(context, rest, "the name of a filter");
  const Filter filter = require_filter(context, require_text(context, name, "the name of a filter").bytes());
  for (const Value& item : list.as_list()->items()) {
    context.step();
    results.push_back(filter(context, item, rest));
  }
  return context.list(std::move(results));
}

/// The items for which a test gives `wanted`; it looks at an attribute of theirs or at themselves, and
/// without a test at what is true.
template <bool wanted, bool by_attribute>
Value select(Context& context, const Value& subject, const Arguments& arguments) {
  Arguments rest = arguments;
  Value attribute;
  if (by_attribute) attribute = take_first(context, rest, "the name of an attribute");
  Test test = [](Context&, const Value& value, const Arguments&) { return value.truthy(); };
  if (!rest.positional.empty()) {
    const Value name = take_first(context, rest, "the name of a test");
    test = require_test(context, require_text(context, name, "the name of a test").bytes());
  }
  const Value list = elements_or_none(context, subject);
  std::vector<Value> kept;
  for (const Value& item : list.as_list()->items()) {
    context.step();
    const Value looked_at = by_attribute ? look_up(context, item, attribute) : item;
    if (test(context, looked_at, rest) == wanted) kept.push_back(item);
  }
  return context.list(std::move(kept));
}

/// What items are sorted and compared by: strings without regard to case unless asked otherwise.
Value sort_key(Context& context, const Value& item, const Value& attribute, bool case_sensitive) {
  Value key = look_up(context, item, attribute);
  if (case_sensitive || !key.is_string()) return key;
  return change_case(context, *key.as_text(), Case::lower);
}

Value sorted(Context& context, const std::vector<Value>& values, const std::vector<Value>& keys,
             bool reversed) {
  std::vector<std::size_t> places(values.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return order(context, reversed ? keys[b] : keys[a], reversed ? keys[a] : keys[b]).value_or(0) < 0;
  });
  std::vector<Value> result;
  for (const std::size_t place : places) result.push_back(values[place]);
  return context.list(std::move(result));
}

Value sort(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"reverse", "case_sensitive", "attribute"});
  const Value list = elements_of(context, subject);
  std::vector<Value> keys;
  for (const Value& item : list.as_list()->items()) {
    keys.push_back(sort_key(context, item, bound[2], bound[1].truthy()));
  }
  return sorted(context, list.as_list()->items(), keys, bound[0].truthy());
}

Value dictsort(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"case_sensitive", "by", "reverse"});
  const bool by_value = bound[1].is_string() && bound[1].as_text()->bytes() == "value";
  if (!bound[1].is_undefined() && !by_value && !equal(context, bound[1], Value::string("key")))
    context.fail("'dictsort' sorts by 'key' or 'value'");
  const Value pairs = items(context, subject, {});
  std::vector<Value> keys;
  for (const Value& pair : pairs.as_list()->items()) {
    keys.push_back(sort_key(context, pair.as_list()->items()[by_value ? 1 : 0], {}, bound[0].truthy()));
  }
  return sorted(context, pairs.as_list()->items(), keys, bound[2].truthy());
}

Value unique(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"case_sensitive", "attribute"});
  const Value list = elements_of(context, subject);
  std::vector<Value> seen, kept;
  for (const Value& item : list.as_list()->items()) {
    const Value key = sort_key(context, item, bound[1], bound[0].truthy());
    const auto same = [&](const Value& other) { return equal(context, key, other); };
    if (std::any_of(seen.begin(), seen.end(), same)) continue;
    seen.push_back(key);
    kept.push_back(item);
  }
  return context.list(std::move(kept));
}

/// The least or greatest item; `sign` is -1 for the least.
template <int sign>
Value extreme(Context& context, const Value& subject, const Arguments& arguments) {
  const std::vector<Value> bound = bind(context, arguments, {"case_sensitive", "attribute"});
  const Value list = elements_of(context, subject);
  Value best = Value::undefined("the least or greatest item");
  Value best_key;
  for (const Value& item : list.as_list()->items()) {
    const Value key = sort_key(context, item, bound[1], bound[0].truthy());
    if (best_key.is_undefined() || order(context, key, best_key).value_or(0) * sign > 0) {
      best = item;
      best_key = key;
    }
  }
  return best;
}

struct Row {
  std::string_view name;
  Filter filter;
};

constexpr Row kFilters[] = {
    {"dictsort", dictsort},
    {"first", first},
    {"items", items},
    {"join", join_filter},
    {"last", last},
    {"list", to_list},
    {"map", map},
    {"max", extreme<1>},
    {"min", extreme<-1>},
    {"reject", select<false, false>},
    {"rejectattr", select<false, true>},
    {"reverse", reverse},
    {"select", select<true, false>},
    {"selectattr", select<true, true>},
    {"sort", sort},
    {"unique", unique},
};

}  // namespace

Filter find_list_filter(std::string_view name) {
  for (const Row& row : kFilters) {
    if (row.name == name) return row.filter;
  }
  return nullptr;
}

}  // namespace armature::chat
