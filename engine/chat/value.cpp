#include "engine/chat/value.h"

#include <algorithm>

#include "gguf/error.h"

namespace armature::chat {
namespace {

void check_depth(std::size_t depth) {
  if (depth > kMaxValueDepth) {
    throw Error(ErrorCode::bad_argument,
                "a value for a chat template is nested deeper than " + std::to_string(kMaxValueDepth));
  }
}

/// The number that a key other than a string stands for.
std::int64_t integer_of(const Value& key) { return key.as_bool() ? *key.as_bool() : *key.as_int(); }

}  // namespace

Value Value::none() {
  Value value;
  value.data_ = None{};
  return value;
}

Value Value::undefined(std::string what) {
  Value value;
  value.data_ = Undefined{std::make_shared<const std::string>(std::move(what))};
  return value;
}

Value Value::string(std::string_view bytes) { return Value(Text(bytes, Text::Origin::input)); }

Value Value::list(std::vector<Value> items) {
  Value value;
  value.data_ = std::make_shared<const List>(std::move(items), false);
  check_depth(value.depth());
  return value;
}

Value Value::tuple(std::vector<Value> items) {
  Value value;
  value.data_ = std::make_shared<const List>(std::move(items), true);
  check_depth(value.depth());
  return value;
}

Value Value::dict(std::vector<std::pair<Value, Value>> entries) {
  Value value;
  value.data_ = std::make_shared<const Dict>(std::move(entries));
  check_depth(value.depth());
  return value;
}

Object* Value::as_object() const {
  const auto* held = std::get_if<std::shared_ptr<Object>>(&data_);
  return held ? held->get() : nullptr;
}

bool Value::truthy() const {
  if (const bool* flag = as_bool()) return *flag;
  if (const std::int64_t* number = as_int()) return *number != 0;
  if (const double* number = as_float()) return *number != 0;
  if (const Text* text = as_text()) return !text->empty();
  if (const List* list = as_list()) return !list->items().empty();
  if (const Dict* dict = as_dict()) return !dict->entries().empty();
  return as_object() != nullptr;
}

std::string_view Value::kind() const {
  if (is_undefined()) return "undefined";
  if (is_none()) return "none";
  if (as_bool()) return "a boolean";
  if (as_int()) return "an integer";
  if (as_float()) return "a float";
  if (as_text()) return "a string";
  if (const List* list = as_list()) return list->is_tuple() ? "a tuple" : "a list";
  if (as_dict()) return "a dict";
  return as_object()->kind();
}

std::size_t Value::depth() const {
  if (const List* list = as_list()) return list->depth();
  if (const Dict* dict = as_dict()) return dict->depth();
  return 0;
}

List::List(std::vector<Value> items, bool is_tuple) : items_(std::move(items)), is_tuple_(is_tuple) {
  for (const Value& item : items_) depth_ = std::max(depth_, item.depth() + 1);
}

bool Dict::can_be_key(const Value& value) { return value.is_string() || value.as_int() || value.as_bool(); }

Dict::Dict(std::vector<Entry> entries) {
  for (Entry& entry : entries) add(std::move(entry));
}

void Dict::add(Entry entry) {
  if (!can_be_key(entry.first))
    throw Error(ErrorCode::bad_argument,
                "the keys of a dict for a chat template are strings, integers or booleans");
  depth_ = std::max(depth_, entry.second.depth() + 1);
  if (const auto place = place_of(entry.first)) {
    entries_[*place].second = std::move(entry.second);
    return;
  }
  if (const Text* text = entry.first.as_text()) {
    texts_.emplace(text->bytes(), entries_.size());
  } else {
    integers_.emplace(integer_of(entry.first), entries_.size());
  }
  entries_.push_back(std::move(entry));
}

std::optional<std::size_t> Dict::place_of(const Value& key) const {
  const auto look_up = [](const auto& places, const auto& wanted) {
    const auto found = places.find(wanted);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  };
  if (const Text* text = key.as_text()) return look_up(texts_, std::string_view(text->bytes()));
  return can_be_key(key) ? look_up(integers_, integer_of(key)) : std::nullopt;
}

const Value* Dict::find(std::string_view key) const {
  const auto found = texts_.find(key);
  return found == texts_.end() ? nullptr : &entries_[found->second].second;
}

const Value* Dict::find(const Value& key) const {
  const auto place = place_of(key);
  return place ? &entries_[*place].second : nullptr;
}

Value Object::attribute(std::string_view) const { return {}; }

}  // namespace armature::chat
