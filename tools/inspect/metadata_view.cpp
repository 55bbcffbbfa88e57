#include "tools/inspect/metadata_view.h"

#include <nlohmann/json.hpp>
#include <variant>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "gguf/value.h"
#include "tools/cli/columns.h"
#include "tools/cli/plain.h"

namespace armature::tools {
namespace {

using gguf::Elements;
using gguf::Value;
using gguf::ValueType;
using Json = nlohmann::ordered_json;

constexpr std::size_t kShownBytes = 60, kShownElementBytes = 16, kShownElements = 6;

std::string type_text(const Value& value) {
  if (value.type != ValueType::Array) return std::string(name_of(value.type));
  return compose("array of {}", name_of(value.element));
}

// Arrays are nested no deeper than the reader allows.
Json value_json(const Value& value, bool full) {
  if (value.type != ValueType::Array)
    return std::visit([](const auto& scalar) { return Json(scalar); }, value.scalar());
  if (!full && value.count > kLongArray) return {{"type", type_text(value)}, {"count", value.count}};
  Json array = Json::array();
  for (Elements elements(value); !elements.at_end();) array.push_back(value_json(elements.next(), full));
  return array;
}

std::string scalar_text(const Value& value, std::size_t most_bytes) {
  return std::visit(
      [most_bytes](const auto& scalar) -> std::string {
        using T = std::decay_t<decltype(scalar)>;
        if constexpr (std::is_same_v<T, std::string_view>)
          return quote(scalar, most_bytes);
        else if constexpr (std::is_same_v<T, bool>)
          return scalar ? "true" : "false";
        else
          return compose("{}", scalar);
      },
      value.scalar());
}

std::string array_text(const Value& array, bool full) {
  std::string text = "[";
  std::uint64_t n_shown = 0;
  for (Elements elements(array); !elements.at_end(); ++n_shown) {
    if (!full && n_shown == kShownElements && array.count > kShownElements + 2) break;
    const Value element = elements.next();
    if (n_shown > 0) text += ", ";
    text += element.type == ValueType::Array
                ? array_text(element, full)
                : scalar_text(element, full ? std::string::npos : kShownElementBytes);
  }
  return n_shown == array.count ? text + "]" : text + compose(", ... {} in all]", array.count);
}

std::string value_text(const Value& value, bool full) {
  if (value.type == ValueType::Array) return array_text(value, full);
  if (full || value.type != ValueType::String || value.count <= kShownBytes)
    return scalar_text(value, std::string::npos);
  return compose("{} ({} bytes)", scalar_text(value, kShownBytes), value.count);
}

}  // namespace

nlohmann::ordered_json metadata_json(const gguf::Metadata& metadata, bool full) {
  // Appended, not looked up: names differ, and there may be 100,000 of them.
  Json::object_t object;
  for (const gguf::KeyValue& kv : metadata.keys())
    object.push_back({std::string(kv.key), value_json(Value::of(kv), full)});
  return object;
}

std::string metadata_text(const gguf::Metadata& metadata, bool full, std::size_t indent) {
  Columns columns("lll");
  for (const gguf::KeyValue& kv : metadata.keys()) {
    const Value value = Value::of(kv);
    columns.add({plain(kv.key), type_text(value), value_text(value, full)});
  }
  return columns.text(indent);
}

}  // namespace armature::tools
