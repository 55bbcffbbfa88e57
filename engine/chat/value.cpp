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
  value.data_ = std::make_shared<const List>(std::move(items));
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
  if (as_list()) return "a list";
  if (as_dict()) return "a dict";
  return as_object()->kind();
}

std::size_t Value::depth() const {
  if (const List* list = as_list()) return list->depth();
  if (const Dict* dict = as_dict()) return dict->depth();
  return 0;
}

List::List(std::vector<Value> items) : items_(std::move(items)) {
  for (const Value& item : items_) depth_ = std::max(depth_, item.depth() + 1);
}

Dict::Dict(std::vector<Entry> entries) {
  for (Entry& entry : entries) {
    const Text* key = entry.first.as_text();
    if (!key) throw Error(ErrorCode::bad_argument, "the keys of a dict for a chat template are strings");
    depth_ = std::max(depth_, entry.second.depth() + 1);
    const auto [place, added] = index_.try_emplace(key->bytes(), entries_.size());
    if (added) {
      entries_.push_back(std::move(entry));
    } else {
      entries_[place->second].second = std::move(entry.second);
    }
  }
}

const Value* Dict::find(std::string_view key) const {
  const auto found = index_.find(key);
  return found == index_.end() ? nullptr : &entries_[found->second].second;
}

Value Object::attribute(std::string_view) const { return {}; }

}  // namespace armature::chat
