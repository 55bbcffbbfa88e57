#include "tools/answer/stop_strings.h"

#include <algorithm>

namespace armature::tools {
namespace {

std::vector<std::size_t> borders(std::string_view text) {
  std::vector<std::size_t> border(text.size(), 0);
  for (std::size_t i = 1, length = 0; i < text.size(); ++i) {
    while (length > 0 && text[i] != text[length]) length = border[length - 1];
    if (text[i] == text[length]) ++length;
    border[i] = length;
  }
  return border;
}

}  // namespace

StopStrings::StopStrings(std::span<const std::string> strings) {
  for (const std::string& text : strings) {
    if (!text.empty()) matchers_.push_back({text, borders(text), 0});
  }
}

void StopStrings::Matcher::step(char byte) {
  while (matched > 0 && text[matched] != byte) matched = border[matched - 1];
  if (text[matched] == byte) ++matched;
}

bool StopStrings::push(std::string_view bytes, std::string& shown) {
  for (const char byte : bytes) {
    held_ += byte;
    std::size_t may_match = 0, matches = 0;  // bytes at the end of held_
    for (Matcher& matcher : matchers_) {
      matcher.step(byte);
      may_match = std::max(may_match, matcher.matched);
      if (matcher.matched == matcher.text.size()) matches = std::max(matches, matcher.matched);
    }
    const std::size_t n_shown = held_.size() - (matches > 0 ? matches : may_match);
    shown.append(held_, 0, n_shown);
    held_.erase(0, n_shown);
    if (matches > 0) return true;
  }
  return false;
}

void StopStrings::flush(std::string& shown) {
  shown += held_;
  held_.clear();
}

}  // namespace armature::tools
