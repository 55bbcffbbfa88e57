#pragma once

namespace armature::tools {

/// Columns that a character takes on a terminal: 0 to 2, or -1 for one that is not printed.
int char_width(char32_t character);

}  // namespace armature::tools
