#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gguf/metadata.h"

/// Values as they stand in a GGUF file.
namespace armature::test {

using Bytes = std::vector<std::byte>;

/// The bytes of a number, little-endian.
template <class T>
Bytes to_bytes(T value) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
  const auto raw = std::as_bytes(std::span(&value, 1));
  return {raw.begin(), raw.end()};
}
/// The same one after the other.
template <class T>
Bytes to_bytes(std::span<const T> values) {
  const auto raw = std::as_bytes(values);
  return {raw.begin(), raw.end()};
}
/// u64 length and the bytes of the text.
Bytes string_value(std::string_view text);
/// u32 element type, u64 count, and the elements as given.
Bytes array_value(std::uint32_t element, std::uint64_t count, const Bytes& elements);

void append(Bytes& out, const Bytes& more);

/// The number of a value type in the file.
constexpr std::uint32_t number(gguf::ValueType type) { return static_cast<std::uint32_t>(type); }
template <class T>
constexpr gguf::ValueType value_type_of() {
  using enum gguf::ValueType;
  if constexpr (std::is_same_v<T, bool>)
    return Bool;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return U8;
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return I8;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return U16;
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return I16;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return U32;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return I32;
  else if constexpr (std::is_same_v<T, float>)
    return F32;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return U64;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return I64;
  else if constexpr (std::is_same_v<T, double>)
    return F64;
  else {
    static_assert(std::is_convertible_v<T, std::string_view>, "no value type for this C++ type");
    return String;
  }
}

/// The bytes of a value of the type that value_type_of() names.
template <class T>
Bytes value_bytes(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return to_bytes<std::uint8_t>(value ? 1 : 0);
  else if constexpr (value_type_of<T>() == gguf::ValueType::String)
    return string_value(value);
  else
    return to_bytes(value);
}

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

struct EncodedValue {
  std::uint32_t type;
  Bytes bytes;
};

/// Type number and bytes of a value; a vector becomes an array.
template <class T>
EncodedValue encode(const T& value) {
  if constexpr (IsVector<T>::value) {
    using Element = typename T::value_type;
    Bytes elements;
    for (const Element& element : value) append(elements, value_bytes<Element>(element));
    return {number(gguf::ValueType::Array),
            array_value(number(value_type_of<Element>()), value.size(), elements)};
  } else {
    return {number(value_type_of<T>()), value_bytes<T>(value)};
  }
}

}  // namespace armature::test
