#include "engine/chat/find_text.h"

#include <vector>

namespace armature::chat {
namespace {

// Below this length the plain search, whose worst case is the product of the lengths, is good enough.
constexpr std::size_t kShort = 32;

/// Knuth, Morris, Pratt, "Fast pattern matching in strings", 1977.
std::size_t find_long(std::string_view text, std::string_view part, std::size_t from) {
  // border[i]: length of the longest proper prefix of part[0..i] that also ends it.
  std::vector<std::size_t> border(part.size(), 0);
  std::size_t matched = 0;
  for (std::size_t i = 1; i < part.size(); ++i) {
    while (matched > 0 && part[i] != part[matched]) matched = border[matched - 1];
    if (part[i] == part[matched]) ++matched;
    border[i] = matched;
  }
  matched = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    while (matched > 0 && text[i] != part[matched]) matched = border[matched - 1];
    if (text[i] == part[matched]) ++matched;
    if (matched == part.size()) return i + 1 - matched;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t find_text(Context& context, std::string_view text, std::string_view part, std::size_t from) {
  const bool is_short = part.size() < kShort;
  const std::size_t found = is_short                    ? text.find(part, from)
                            : part.size() > text.size() ? std::string_view::npos
                                                        : find_long(text, part, from);
  const std::size_t end = found == std::string_view::npos ? text.size() : found + part.size();
  context.charge(end - std::min(from, end) + (is_short ? 0 : part.size() * sizeof(std::size_t)));
  return found;
}

}  // namespace armature::chat
