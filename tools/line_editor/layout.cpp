#include "tools/line_editor/layout.h"

#include <algorithm>

#include "engine/tokenizer/utf8.h"
#include "tools/line_editor/char_width.h"

namespace armature::tools {
namespace {

struct Shown {
  std::string_view text;
  std::size_t width;
};
Shown shown(std::string_view character, char32_t code_point) {
  if (code_point == '\t') return {"    ", 4};
  const int width = char_width(code_point);
  if (width < 0) return {"\uFFFD", 1};
  return {character, static_cast<std::size_t>(width)};
}

}  // namespace

Layout lay_out(std::string_view text, std::size_t cursor, std::size_t indent, std::size_t columns) {
  Layout out;
  out.rows.push_back({{}, indent});
  const auto place_cursor = [&] {
    out.cursor_row = out.rows.size() - 1;
    out.cursor_column = std::min(out.rows.back().width, columns - 1);
  };
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Start start = read_utf8(text.substr(at));
    const bool newline = start.code_point == '\n';
    const Shown c = newline ? Shown{{}, 0} : shown(text.substr(at, start.length), start.code_point);
    if (!newline && out.rows.back().width + c.width > columns) out.rows.push_back({{}, 0});
    if (at == cursor) place_cursor();
    if (newline) out.rows.push_back({{}, 0});
    out.rows.back().text += c.text;
    out.rows.back().width += c.width;
    at += start.length;
  }
  if (out.rows.back().width >= columns) out.rows.push_back({{}, 0});
  if (cursor >= text.size()) place_cursor();
  return out;
}

}  // namespace armature::tools
