#pragma once

#include <cstdint>
#include <string_view>

#include "gguf/cursor.h"
#include "gguf/metadata.h"

namespace armature::gguf {

/// Reads and checks n key-values from `in` on; `in` then stands after the last. Allocates no more than the
/// keys that are there need.
Metadata read_keys(Cursor& in, std::uint64_t n, std::string_view file);

}  // namespace armature::gguf
