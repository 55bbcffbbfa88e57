#include "tools/cli/wrap.h"

#include <algorithm>

#include "tools/cli/flags.h"

namespace armature::tools {

std::string in_column(std::string line, std::string_view text, std::size_t column) {
  std::string out;
  const auto next_line = [&] {
    out += line + "\n";
    line.clear();
  };
  if (line.size() + 1 > column) next_line();
  line.resize(std::max(line.size(), column), ' ');
  for (const std::string_view word : split_words(text)) {
    if (line.size() > column && line.size() + 1 + word.size() > kHelpWidth) {
      next_line();
      line.resize(column, ' ');
    }
    if (line.size() > column) line += ' ';
    line += word;
  }
  next_line();
  return out;
}

std::string joined(std::string_view list) {
  std::string out;
  for (const std::string_view name : split_words(list)) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

}  // namespace armature::tools
