#pragma once

#include <string>
#include <string_view>

namespace armature::tools {

/// As quote(), but without the quotes where the text needs none: printable, short and without spaces.
std::string plain(std::string_view text);

}  // namespace armature::tools
