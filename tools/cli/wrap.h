#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace armature::tools {

inline constexpr std::size_t kHelpWidth = 100;  // columns

/// `line` and then `text`, which starts at `column` and is broken at spaces so as to stay there; on a line of
/// its own where `line` is too long.
std::string in_column(std::string line, std::string_view text, std::size_t column);

/// The words of a list of the table with commas between.
std::string joined(std::string_view list);

}  // namespace armature::tools
