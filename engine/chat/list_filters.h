#pragma once

#include <string_view>

#include "engine/chat/builtins.h"

namespace armature::chat {

/// The filters that work on lists and dicts; null when there is none of that name.
Filter find_list_filter(std::string_view name);

}  // namespace armature::chat
