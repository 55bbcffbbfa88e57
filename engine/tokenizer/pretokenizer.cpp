#include "engine/tokenizer/pretokenizer.h"

#include "engine/tokenizer/utf8.h"

namespace armature {

namespace {

std::vector<PatternChar> decode(std::string_view text) {
  std::vector<PatternChar> chars;
  chars.reserve(text.size());
  while (!text.empty()) {
    const Utf8Start start = read_utf8(text);
    chars.push_back({start.code_point, unicode::properties_of(start.code_point)});
    text.remove_prefix(start.kind == Utf8Kind::character ? start.length : 1);
  }
  return chars;
}

/// Cuts one piece; appends the lengths of the new pieces, in characters.
void split_piece(PatternMatcher& matcher, std::span<const PatternChar> piece,
                 std::vector<std::size_t>& lengths) {
  matcher.reset(piece);
  std::size_t unmatched = 0;  // characters since the last match
  for (std::size_t at = 0; at < piece.size();) {
    const std::size_t match = matcher.match_at(at);
    if (match == 0) {
      ++unmatched;
      ++at;
      continue;
    }
    if (unmatched > 0) lengths.push_back(unmatched);
    lengths.push_back(match);
    unmatched = 0;
    at += match;
  }
  if (unmatched > 0) lengths.push_back(unmatched);
}

/// Turns lengths in characters of `text` into lengths in bytes.
void to_bytes(std::string_view text, std::vector<std::size_t>& lengths) {
  for (std::size_t& length : lengths) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const Utf8Start start = read_utf8(text.substr(bytes));
      bytes += start.kind == Utf8Kind::character ? start.length : 1;
    }
    text.remove_prefix(bytes);
    length = bytes;
  }
}

}  // namespace

Pretokenizer::Pretokenizer(const PreRule& rule) {
  for (const std::string_view step : rule.steps) steps_.emplace_back(step);
}

std::vector<std::size_t> Pretokenizer::split(std::string_view text) const {
  if (text.empty()) return {};
  const std::vector<PatternChar> chars = decode(text);
  std::vector<std::size_t> lengths = {chars.size()};
  std::vector<std::size_t> next;
  for (const Pattern& step : steps_) {
    PatternMatcher matcher(step);
    next.clear();
    std::span<const PatternChar> left = chars;
    for (const std::size_t length : lengths) {
      split_piece(matcher, left.first(length), next);
      left = left.subspan(length);
    }
    lengths.swap(next);
  }
  to_bytes(text, lengths);
  return lengths;
}

}  // namespace armature
