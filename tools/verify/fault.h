#pragma once

#include <optional>
#include <string>

namespace armature::tools::verify {

/// What is wrong with something, as a printable line: where, what was found and what belongs there. Nothing
/// where all is right.
using Fault = std::optional<std::string>;

}  // namespace armature::tools::verify
