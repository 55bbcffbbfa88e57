#include "gguf/override.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "gguf/compose.h"

namespace armature::gguf {
namespace {

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  const auto raw = std::as_bytes(std::span(&value, 1));
  return {raw.begin(), raw.end()};
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error bad_value(std::string_view text, std::string_view wanted) {
  return Error(ErrorCode::bad_argument, compose("value {}; {} is needed", quote(text), wanted));
}

}  // namespace

KeyOverride parse_override(std::string_view text) {
  const std::size_t equals = text.find('='), colon = text.find(':', equals);
  if (equals == 0 || equals == text.npos || colon == text.npos)
    throw Error(ErrorCode::bad_argument, compose("{}; KEY=TYPE:VALUE is needed", quote(text)));
  const std::string key(text.substr(0, equals));
  const std::string_view type = text.substr(equals + 1, colon - equals - 1), value = text.substr(colon + 1);
  if (type == "int") {
    const auto integer = number<std::int64_t>(value);
    if (!integer) throw bad_value(value, "an integer");
    return {key, ValueType::I64, bytes_of(*integer)};
  }
  if (type == "float") {
    const auto real = number<double>(value);
    if (!real || !std::isfinite(*real)) throw bad_value(value, "a finite number");
    return {key, ValueType::F64, bytes_of(*real)};
  }
  if (type == "bool") {
    if (value != "true" && value != "false") throw bad_value(value, "true or false");
    return {key, ValueType::Bool, bytes_of(static_cast<std::uint8_t>(value == "true"))};
  }
  if (type == "str") {
    const auto raw = std::as_bytes(std::span(value));
    return {key, ValueType::String, {raw.begin(), raw.end()}};
  }
  throw Error(ErrorCode::bad_argument, compose("type {}; int, float, bool or str is needed", quote(type)));
}

}  // namespace armature::gguf
