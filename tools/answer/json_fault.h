#pragma once

#include <string>
#include <string_view>

namespace armature::tools {

/// "not JSON: ..." of a message of the JSON parser: what it found wrong, without its own account of the place
/// and without bytes of the text.
std::string json_fault(std::string_view what);

}  // namespace armature::tools
