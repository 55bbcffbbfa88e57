#pragma once

#include <string_view>

#include "engine/chat/context.h"

namespace armature::chat {

/// The first place of `part` in `text` at or after `from`, or npos. Takes time in the sum of the lengths.
std::size_t find_text(Context& context, std::string_view text, std::string_view part, std::size_t from);

}  // namespace armature::chat
