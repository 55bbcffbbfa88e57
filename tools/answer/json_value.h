#pragma once

#include <string>
#include <string_view>

#include "engine/chat/value.h"

namespace armature::tools {

/// A JSON text as a value of a template; its strings count as input. `name` stands for the text in errors.
/// Throws Error bad_argument: not JSON (with line and column, counted in characters from 1), an integer
/// beyond 64 bits, nested deeper than chat::kMaxValueDepth.
chat::Value parse_json_value(std::string_view text, const std::string& name);

}  // namespace armature::tools
