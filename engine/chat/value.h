#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "engine/chat/text.h"

namespace armature::chat {

class Dict;
class List;
class Object;

/// Deepest nesting of lists and dicts in a value; it bounds every walk over a value.
inline constexpr std::size_t kMaxValueDepth = 64;

/// A value of the template language: what JSON can hold, `undefined`, and objects that live only while a
/// template is rendered. Immutable and cheap to copy: strings, lists and dicts are shared.
class Value {
 public:
  struct Undefined {
    std::shared_ptr<const std::string> what;  // what was looked up, for messages; may be null
  };
  struct None {};

  Value() = default;  // undefined
  explicit Value(bool value) : data_(value) {}
  explicit Value(std::int64_t value) : data_(value) {}
  explicit Value(double value) : data_(value) {}
  explicit Value(Text text) : data_(std::make_shared<const Text>(std::move(text))) {}
  explicit Value(std::shared_ptr<Object> object) : data_(std::move(object)) {}

  static Value none();
  /// An undefined value that was looked up as `what`, e.g. "'tools'".
  static Value undefined(std::string what);
  /// A string that counts as input; see Text.
  static Value string(std::string_view bytes);
  /// Throw Error bad_argument when the result would be nested deeper than kMaxValueDepth.
  static Value list(std::vector<Value> items);
  static Value tuple(std::vector<Value> items);
  /// Of two equal keys the later wins, in the place of the earlier. Error bad_argument also for what cannot
  /// be a key.
  static Value dict(std::vector<std::pair<Value, Value>> entries);

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_none() const { return std::holds_alternative<None>(data_); }
  bool is_string() const { return std::holds_alternative<std::shared_ptr<const Text>>(data_); }

  // Null when the value is of another kind. A bool is not an int here.
  const Undefined* as_undefined() const { return std::get_if<Undefined>(&data_); }
  const bool* as_bool() const { return std::get_if<bool>(&data_); }
  const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&data_); }
  const double* as_float() const { return std::get_if<double>(&data_); }
  const Text* as_text() const { return get_shared<Text>(); }
  const List* as_list() const { return get_shared<List>(); }
  const Dict* as_dict() const { return get_shared<Dict>(); }
  Object* as_object() const;

  /// False for undefined, none, false, zero and what is empty.
  bool truthy() const;
  /// The kind in words for messages, e.g. "a string", "none".
  std::string_view kind() const;
  /// 0 for a scalar, else one more than the deepest part.
  std::size_t depth() const;

 private:
  template <class T>
  const T* get_shared() const {
    const auto* held = std::get_if<std::shared_ptr<const T>>(&data_);
    return held ? held->get() : nullptr;
  }

  std::variant<Undefined, None, bool, std::int64_t, double, std::shared_ptr<const Text>,
               std::shared_ptr<const List>, std::shared_ptr<const Dict>, std::shared_ptr<Object>>
      data_;
};

/// A list, or a tuple, which differs in how it prints and in that it equals no list.
class List {
 public:
  List(std::vector<Value> items, bool is_tuple);

  const std::vector<Value>& items() const { return items_; }
  bool is_tuple() const { return is_tuple_; }
  std::size_t depth() const { return depth_; }

 private:
  std::vector<Value> items_;
  bool is_tuple_;
  std::size_t depth_ = 1;
};

/// Keys are strings, integers and booleans (true equals 1), in the order in which they were first written.
class Dict {
 public:
  using Entry = std::pair<Value, Value>;  // key, value

  static bool can_be_key(const Value& value);

  explicit Dict(std::vector<Entry> entries);

  const std::vector<Entry>& entries() const { return entries_; }
  /// Null when there is no such key.
  const Value* find(std::string_view key) const;
  const Value* find(const Value& key) const;
  std::size_t depth() const { return depth_; }

 private:
  void add(Entry entry);
  std::optional<std::size_t> place_of(const Value& key) const;

  std::vector<Entry> entries_;
  // Places in entries_; the texts are those of the keys.
  std::unordered_map<std::string_view, std::size_t> texts_;
  std::unordered_map<std::int64_t, std::size_t> integers_;
  std::size_t depth_ = 1;
};

/// What is neither JSON nor undefined: namespaces, loops, macros, functions. Compared by identity.
class Object {
 public:
  virtual ~Object() = default;
  virtual std::string_view kind() const = 0;
  /// Undefined when there is no such attribute.
  virtual Value attribute(std::string_view name) const;
  /// Lets go of everything held, so that objects that hold each other can be freed.
  virtual void release() {}

 protected:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

}  // namespace armature::chat
