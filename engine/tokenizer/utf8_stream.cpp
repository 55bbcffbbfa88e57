#include "engine/tokenizer/utf8_stream.h"

#include "engine/tokenizer/utf8.h"

namespace armature {

namespace {
constexpr std::string_view kReplacement = "\uFFFD";
}

void Utf8Stream::push(std::string_view bytes, std::string& out) {
  held_.append(bytes);
  std::string_view left = held_;
  while (!left.empty()) {
    const Utf8Start start = read_utf8(left);
    if (start.kind == Utf8Kind::incomplete) break;
    out.append(start.kind == Utf8Kind::character ? left.substr(0, start.length) : kReplacement);
    left.remove_prefix(start.length);
  }
  held_.erase(0, held_.size() - left.size());
}

void Utf8Stream::flush(std::string& out) {
  if (!held_.empty()) out.append(kReplacement);
  held_.clear();
}

}  // namespace armature
