#include "tools/cli/columns.h"

#include <algorithm>

namespace armature::tools {
namespace {

std::size_t n_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // not the continuation of a character
  }));
}

}  // namespace

std::string Columns::text(std::size_t indent) const {
  std::vector<std::size_t> widths(alignment_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t n = n_characters(row[i]);
      if (n <= kWidest) widths[i] = std::max(widths[i], n);
    }
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t n = n_characters(row[i]);
      const std::string padding(std::max(widths[i], n) - n, ' ');
      if (i > 0) line += "  ";
      line += alignment_[i] == 'r' ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace armature::tools
