#pragma once

#include <string_view>
#include <vector>

#include "engine/token.h"

namespace armature::tools {

/// Token ids as people and programs write them: "1, 2 3", "[1, 2, 3]"; none for an empty text. Throws Error
/// bad_argument, which says what is wrong with the text.
std::vector<TokenId> parse_id_list(std::string_view text);

}  // namespace armature::tools
