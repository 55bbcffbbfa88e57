#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "gguf/metadata.h"

namespace armature::gguf {

/// A number, bool or string as the file stores it.
using Scalar = std::variant<std::uint64_t, std::int64_t, float, double, bool, std::string_view>;

/// Any value, for those that show a file: a view of a key's value or of an element of an array, which may be
/// an array itself.
struct Value {
  ValueType type;
  ValueType element;    // of an array, else the type itself
  std::uint64_t count;  // elements of an array, bytes of a string, else 1
  const std::byte* data;

  static Value of(const KeyValue& kv) { return {kv.type, kv.element, kv.count, kv.value}; }
  /// Of anything but an array.
  Scalar scalar() const;
};

/// The elements of an array, from the front.
class Elements {
 public:
  explicit Elements(const Value& array) : type_(array.element), left_(array.count), at_(array.data) {}

  bool at_end() const { return left_ == 0; }
  const std::byte* here() const { return at_; }  // where the next one begins
  Value next();

 private:
  ValueType type_;
  std::uint64_t left_;
  const std::byte* at_;
};

}  // namespace armature::gguf
