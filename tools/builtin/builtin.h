#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace armature::tools {

inline constexpr std::string_view kBuiltinName = "built-in";

/// The story-telling model that is linked into the program, a GGUF file. Aligned to 64 bytes.
std::span<const std::byte> builtin_model();

}  // namespace armature::tools
