#pragma once

#include <string>
#include <string_view>

namespace armature::tools {

/// Between two of these quotes, those within doubled: a field of CSV, a text of SQL.
std::string quoted_field(std::string_view text, char quote);

}  // namespace armature::tools
