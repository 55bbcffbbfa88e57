#include "engine/tokenizer/special_matcher.h"

#include <algorithm>
#include <tuple>

namespace armature {

namespace {

bool swallows_space_in_phi3(std::string_view spelling) {
  return spelling != "<s>" && spelling != "<unk>" && spelling != "<|endoftext|>";
}

}  // namespace

SpecialMatcher::SpecialMatcher(const Vocabulary& vocabulary, bool phi3) {
  for (std::size_t i = 0; i < vocabulary.size(); ++i) {
    const auto id = TokenId(static_cast<std::int32_t>(i));
    const std::string_view spelling = vocabulary.spelling(id);
    const TokenType type = vocabulary.type(id);
    const bool user_defined = type == TokenType::user_defined;
    if (!user_defined && type != TokenType::control && type != TokenType::unknown) continue;
    if (spelling.empty()) continue;
    entries_.push_back({spelling, id, user_defined, phi3 && swallows_space_in_phi3(spelling)});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.spelling, a.id) < std::tie(b.spelling, b.id);
  });
  for (std::size_t byte = 0, at = 0; byte < starts_.size(); ++byte) {
    while (at < entries_.size() && static_cast<unsigned char>(entries_[at].spelling[0]) < byte) ++at;
    starts_[byte] = at;
  }
}

std::optional<SpecialMatcher::Match> SpecialMatcher::match_front(std::string_view text,
                                                                 std::size_t control_limit) const {
  if (text.empty()) return std::nullopt;
  std::optional<Match> longest;
  const auto byte = static_cast<unsigned char>(text[0]);
  std::size_t first = starts_[byte], last = starts_[byte + 1u];
  for (std::size_t depth = 1; first < last; ++depth) {
    // Spellings that end here sort before those that go on.
    for (; first < last && entries_[first].spelling.size() == depth; ++first) {
      const Entry& entry = entries_[first];
      const bool is_lower_id = !longest || longest->length < depth;
      if (is_lower_id && (entry.user_defined || depth <= control_limit)) {
        longest = {entry.id, depth, entry.swallows_space};
      }
    }
    if (depth == text.size()) break;
    narrow(first, last, depth, static_cast<unsigned char>(text[depth]));
  }
  return longest;
}

void SpecialMatcher::narrow(std::size_t& first, std::size_t& last, std::size_t depth,
                            unsigned char byte) const {
  const auto byte_at = [depth](const Entry& e) { return static_cast<unsigned char>(e.spelling[depth]); };
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(last);
  const auto low = std::partition_point(begin, end, [&](const Entry& e) { return byte_at(e) < byte; });
  const auto high = std::partition_point(low, end, [&](const Entry& e) { return byte_at(e) == byte; });
  first = static_cast<std::size_t>(low - entries_.begin());
  last = static_cast<std::size_t>(high - entries_.begin());
}

}  // namespace armature
