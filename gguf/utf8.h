#pragma once

#include <cstddef>
#include <string_view>

namespace armature {

/// The first character of a text. length is 0 when the text is empty or does not start with valid UTF-8 (as
/// RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF).
struct Utf8Char {
  char32_t point;
  std::size_t length;  // bytes
};
Utf8Char decode_utf8(std::string_view text);

}  // namespace armature
