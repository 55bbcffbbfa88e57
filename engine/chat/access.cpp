#include <algorithm>
#include <limits>

#include "engine/chat/operators.h"
#include "engine/chat/utf8.h"
#include "gguf/error.h"

namespace armature::chat {
namespace {

/// The places of the characters of a text, and its size behind the last.
std::vector<std::size_t> character_places(Context& context, std::string_view text) {
  context.charge(text.size() * sizeof(std::size_t));
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < text.size(); at += character_length(text, at)) places.push_back(at);
  places.push_back(text.size());
  return places;
}

/// A negative index counts from the end.
std::optional<std::size_t> resolve_index(std::int64_t index, std::size_t count) {
  const auto n = static_cast<std::int64_t>(count);
  if (index >= n || index < -n) return std::nullopt;
  return static_cast<std::size_t>(index < 0 ? index + n : index);
}

struct Stride {
  std::int64_t start, stop, step;  // from start in steps up to, but without, stop
};

std::int64_t slice_part(Context& context, const Value& value, std::int64_t fallback) {
  if (value.is_undefined() || value.is_none()) return fallback;
  if (const auto integer = to_integer(value)) return *integer;
  context.fail("a part of a slice must be an integer, not " + describe(value));
}

/// Python's rules for the parts of a slice over `count` items; all results lie within one of them.
Stride resolve_slice(Context& context, std::size_t count, const Value& start, const Value& stop,
                     const Value& step) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  const auto n = static_cast<std::int64_t>(count);
  const std::int64_t by = slice_part(context, step, 1);
  if (by == 0) context.fail("the step of a slice is zero");
  const std::int64_t low = by > 0 ? 0 : -1;
  const std::int64_t high = by > 0 ? n : n - 1;
  const auto resolve = [&](const Value& part, std::int64_t fallback) {
    if (part.is_undefined() || part.is_none()) return fallback;
    std::int64_t at = slice_part(context, part, fallback);
    if (at < 0) at = std::max(at, -kFar) + n;
    return std::clamp(at, low, high);
  };
  return {resolve(start, by > 0 ? low : high), resolve(stop, by > 0 ? high : low),
          std::clamp(by, -n - 1, n + 1)};
}

template <class Visit>
void walk(const Stride& stride, Visit visit) {
  for (std::int64_t i = stride.start; stride.step > 0 ? i < stride.stop : i > stride.stop; i += stride.step) {
    visit(static_cast<std::size_t>(i));
  }
}

[[noreturn]] void fail_undefined(const Context& context, const Value& value, const std::string& key) {
  const Value::Undefined* undefined = value.as_undefined();
  const std::string what = undefined && undefined->what ? *undefined->what : "a value";
  context.fail(what + " is undefined, so it has no " + key);
}

}  // namespace

Value attribute_of(Context& context, const Value& value, std::string_view name) {
  if (value.is_undefined()) fail_undefined(context, value, quote(name));
  if (const Dict* dict = value.as_dict()) {
    if (const Value* found = dict->find(name)) return *found;
  } else if (const Object* object = value.as_object()) {
    if (Value found = object->attribute(name); !found.is_undefined()) return found;
  }
  return Value::undefined(quote(name) + " of " + std::string(value.kind()));
}

Value item_of(Context& context, const Value& value, const Value& key) {
  if (const Text* name = key.as_text()) {
    context.charge(name->size());
    return attribute_of(context, value, name->bytes());
  }
  if (value.is_undefined()) fail_undefined(context, value, "items");
  if (const Dict* dict = value.as_dict()) {
    if (const Value* found = dict->find(key)) return *found;
  }
  if (const auto index = to_integer(key)) {
    if (const List* list = value.as_list()) {
      if (const auto at = resolve_index(*index, list->items().size())) return list->items()[*at];
    } else if (const Text* text = value.as_text()) {
      const std::vector<std::size_t> places = character_places(context, text->bytes());
      if (const auto at = resolve_index(*index, places.size() - 1)) {
        return Value(text->slice({places[*at], places[*at + 1]}));
      }
    }
  }
  return Value::undefined("an item of " + std::string(value.kind()));
}

Value slice_of(Context& context, const Value& value, const Value& start, const Value& stop,
               const Value& step) {
  if (value.is_undefined()) fail_undefined(context, value, "items");
  if (const List* list = value.as_list()) {
    std::vector<Value> items;
    context.charge_values(list->items().size());
    walk(resolve_slice(context, list->items().size(), start, stop, step),
         [&](std::size_t i) { items.push_back(list->items()[i]); });
    return context.sequence(std::move(items), *list);
  }
  if (const Text* text = value.as_text()) {
    const std::vector<std::size_t> places = character_places(context, text->bytes());
    const Stride stride = resolve_slice(context, places.size() - 1, start, stop, step);
    TextBuilder result(context);
    if (stride.step == 1) {
      const auto end = static_cast<std::size_t>(std::max(stride.start, stride.stop));
      result.append(*text, {places[static_cast<std::size_t>(stride.start)], places[end]});
    } else {
      walk(stride, [&](std::size_t i) { result.append(*text, {places[i], places[i + 1]}); });
    }
    return result.value();
  }
  return Value::undefined("a slice of " + std::string(value.kind()));
}

Value elements_of(Context& context, const Value& value) {
  if (value.as_list()) return value;
  std::vector<Value> items;
  if (const Dict* dict = value.as_dict()) {
    context.charge_values(dict->entries().size());
    for (const auto& [key, unused] : dict->entries()) items.push_back(key);
  } else if (const Text* text = value.as_text()) {
    const std::vector<std::size_t> places = character_places(context, text->bytes());
    context.charge_values(2 * places.size());  // each character is a value with a text of its own
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
      items.emplace_back(text->slice({places[i], places[i + 1]}));
    }
  } else if (!value.is_undefined()) {
    context.fail("items are wanted, but there is " + describe(value));
  }
  return context.list(std::move(items));
}

std::int64_t length_of(Context& context, const Value& value) {
  std::size_t length = 0;
  if (const Text* text = value.as_text()) {
    context.charge(text->size());
    length = count_characters(text->bytes());
  } else if (const List* list = value.as_list()) {
    length = list->items().size();
  } else if (const Dict* dict = value.as_dict()) {
    length = dict->entries().size();
  } else if (!value.is_undefined()) {
    context.fail("the length of " + describe(value));
  }
  return static_cast<std::int64_t>(length);
}

}  // namespace armature::chat
