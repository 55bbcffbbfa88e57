#include "tools/tokenize/line_reader.h"

#include <algorithm>

namespace armature::tools {

std::optional<LineReader::Line> LineReader::next() {
  line_.clear();
  bool too_long = false;
  bool any = false;
  while (fill()) {
    any = true;
    const std::size_t end = left_.find('\n');
    const std::string_view part = left_.substr(0, end);
    const std::size_t room = kMaxLineBytes - line_.size();
    too_long = too_long || part.size() > room;
    line_.append(part.substr(0, room));
    left_.remove_prefix(std::min(part.size() + 1, left_.size()));
    if (end != std::string_view::npos) return Line{line_, too_long};
  }
  if (!any) return std::nullopt;
  return Line{line_, too_long};
}

bool LineReader::fill() {
  if (!left_.empty()) return true;
  buffer_.resize(std::size_t{64} << 10);
  left_ = std::string_view(buffer_).substr(0, file_.read(buffer_.data(), buffer_.size()));
  return !left_.empty();
}

}  // namespace armature::tools
