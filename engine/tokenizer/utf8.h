#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace armature {

enum class Utf8Kind : std::uint8_t {
  character,   // well-formed
  ill_formed,  // can never be the start of a character
  incomplete,  // the text ends inside what may be a character
};

/// What a text starts with.
struct Utf8Start {
  Utf8Kind kind;
  std::uint8_t
      length;  // bytes of the character, or of the maximal ill-formed or incomplete stretch; at least 1
  char32_t code_point;  // of a character, else U+FFFD
};

/// Looks at the front of `text`, which must not be empty. Strict: no overlong forms, no surrogates, nothing
/// above U+10FFFF.
Utf8Start read_utf8(std::string_view text);

/// Appends the UTF-8 form of a code point that is no surrogate.
void append_utf8(std::string& out, char32_t code_point);

}  // namespace armature
