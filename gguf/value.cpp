#include "gguf/value.h"

#include <cassert>

#include "gguf/bytes.h"

namespace armature::gguf {
namespace {

/// Behind the last byte of an array.
const std::byte* end_of_array(const Value& array) {
  if (const std::size_t size = scalar_size(array.element); size > 0) return array.data + array.count * size;
  Elements elements(array);
  while (!elements.at_end()) elements.next();  // strings and arrays vary in length
  return elements.here();
}

}  // namespace

Scalar Value::scalar() const {
  switch (type) {
    case ValueType::U8:
      return std::uint64_t{load<std::uint8_t>(data)};
    case ValueType::I8:
      return std::int64_t{load<std::int8_t>(data)};
    case ValueType::U16:
      return std::uint64_t{load<std::uint16_t>(data)};
    case ValueType::I16:
      return std::int64_t{load<std::int16_t>(data)};
    case ValueType::U32:
      return std::uint64_t{load<std::uint32_t>(data)};
    case ValueType::I32:
      return std::int64_t{load<std::int32_t>(data)};
    case ValueType::U64:
      return load<std::uint64_t>(data);
    case ValueType::I64:
      return load<std::int64_t>(data);
    case ValueType::F32:
      return load<float>(data);
    case ValueType::F64:
      return load<double>(data);
    case ValueType::Bool:
      return load<std::uint8_t>(data) != 0;
    case ValueType::String:
      return as_text(data, count);
    case ValueType::Array:
      break;
  }
  assert(false);
  return std::uint64_t{0};
}

Value Elements::next() {
  assert(left_ > 0);
  --left_;
  Value value{type_, type_, 1, at_};
  if (type_ == ValueType::String) {
    value.count = load<std::uint64_t>(at_);
    value.data = at_ + sizeof(value.count);
    at_ = value.data + value.count;
  } else if (type_ == ValueType::Array) {
    value.element = static_cast<ValueType>(load<std::uint32_t>(at_));
    value.count = load<std::uint64_t>(at_ + sizeof(std::uint32_t));
    value.data = at_ + sizeof(std::uint32_t) + sizeof(value.count);
    at_ = end_of_array(value);
  } else {
    at_ += scalar_size(type_);
  }
  return value;
}

}  // namespace armature::gguf
