#include "tools/cli/id_list.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string_view without_brackets(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return text;
  return without_blanks(text.substr(1, text.size() - 2));
}

TokenId parse_id(std::string_view word) {
  std::int32_t id = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
  if (error != std::errc{} || end != word.data() + word.size() || id < 0) {
    throw Error(ErrorCode::bad_argument, compose("{} is no token id; integers from 0 to {} are allowed",
                                                 quote(word), std::numeric_limits<std::int32_t>::max()));
  }
  return TokenId{id};
}

}  // namespace

std::vector<TokenId> parse_id_list(std::string_view text) {
  std::vector<TokenId> ids;
  std::string_view rest = without_brackets(without_blanks(text));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n,"), rest.size());
    ids.push_back(parse_id(rest.substr(0, end)));
    rest = without_blanks(rest.substr(end));
    if (!rest.starts_with(',')) continue;
    rest = without_blanks(rest.substr(1));
    if (rest.empty()) throw Error(ErrorCode::bad_argument, "no token id behind the last comma");
  }
  return ids;
}

}  // namespace armature::tools
