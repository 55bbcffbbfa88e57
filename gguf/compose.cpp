#include "gguf/compose.h"

#include <cassert>

namespace armature {

std::string compose_span(std::string_view pattern, std::span<const TextArg> args) {
  std::string out;
  for (const TextArg& arg : args) {
    const std::size_t at = pattern.find("{}");
    assert(at != std::string_view::npos);
    out += pattern.substr(0, at);
    out += arg.text();
    pattern.remove_prefix(at + 2);
  }
  assert(pattern.find("{}") == std::string_view::npos);
  return out += pattern;
}

std::string hex(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return std::string("0x").append(digits.data(), end);
}

}  // namespace armature
