#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/byte_range.h"

namespace armature::chat {

/// The place of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

/// Length in bytes of the character at `text[at]`, at < size. A byte that starts no valid character counts as
/// one character, so that inputs which are not UTF-8 pass through unchanged.
std::size_t character_length(std::string_view text, std::size_t at);

std::size_t count_characters(std::string_view text);

/// The character at `text[at]`; a byte that starts none gives U+FFFD.
char32_t decode_character(std::string_view text, std::size_t at);

/// Appends `character`, at most 0x10ffff and no surrogate.
void append_utf8(std::string& text, char32_t character);

/// Unicode's White_Space and the separators U+001C to U+001F: what the template language strips.
bool is_space(char32_t character);

/// What is left of `text` after taking white space off its front, or its end; as bytes of `text`.
std::size_t skip_space_front(std::string_view text, std::size_t begin);
std::size_t skip_space_back(std::string_view text, std::size_t end);

}  // namespace armature::chat
