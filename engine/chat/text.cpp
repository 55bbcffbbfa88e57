#include "engine/chat/text.h"

#include <algorithm>
#include <cassert>

namespace armature::chat {

void Text::mark_input(ByteRange range) {
  if (range.begin == range.end) return;
  if (!input_.empty() && input_.back().end == range.begin) {
    input_.back().end = range.end;
  } else {
    input_.push_back(range);
  }
}

void Text::append(std::string_view bytes, Origin origin) {
  const std::size_t begin = size();
  bytes_.append(bytes);
  if (origin == Origin::input) mark_input({begin, size()});
}

void Text::append(const Text& other, ByteRange part) {
  assert(part.begin <= part.end && part.end <= other.size() && &other != this);
  const std::size_t begin = size();
  bytes_.append(other.bytes_, part.begin, part.end - part.begin);
  auto range = std::partition_point(other.input_.begin(), other.input_.end(),
                                    [&](const ByteRange& r) { return r.end <= part.begin; });
  for (; range != other.input_.end() && range->begin < part.end; ++range) {
    mark_input({begin + std::max(range->begin, part.begin) - part.begin,
                begin + std::min(range->end, part.end) - part.begin});
  }
}

Text Text::slice(ByteRange part) const {
  Text result;
  result.append(*this, part);
  return result;
}

Text Text::with_bytes(std::string bytes) const {
  assert(bytes.size() == size());
  Text result;
  result.bytes_ = std::move(bytes);
  result.input_ = input_;
  return result;
}

Text Text::derived(std::string_view bytes) const {
  return Text(bytes, any_input() ? Origin::input : Origin::written);
}

}  // namespace armature::chat
