#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/chat/context.h"

namespace armature::chat {

/// How print_json() writes; without changes as Python's json.dumps() with ensure_ascii off.
struct JsonStyle {
  std::optional<std::size_t> indent = {};  // a line per item, each level indented by so many spaces
  bool ascii = false;                      // characters beyond ASCII as \uXXXX
  bool sorted = false;                     // dicts by their keys
  Text item_separator, key_separator;
};

/// Fails for undefined and objects. Integers and booleans that are keys become strings.
void print_json(TextBuilder& out, const Value& value, const JsonStyle& style);

}  // namespace armature::chat
