#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace armature::tools {

/// A text in rows of a terminal.
struct Layout {
  struct Row {
    std::string text;  // as shown: tabs as spaces, U+FFFD for what is not printed
    std::size_t width;
  };
  std::vector<Row> rows;  // at least one
  std::size_t cursor_row = 0, cursor_column = 0;
};

/// Breaks `text`, valid UTF-8 with the cursor at a byte offset, at newlines and where a row of `columns` is
/// full. The first row begins `indent` columns in. A cursor behind a full row is at the start of the next.
Layout lay_out(std::string_view text, std::size_t cursor, std::size_t indent, std::size_t columns);

}  // namespace armature::tools
