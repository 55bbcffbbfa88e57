#include "engine/chat/utf8.h"

#include "gguf/utf8.h"

namespace armature::chat {
namespace {

struct Decoded {
  char32_t character;
  std::size_t length;
  bool valid;
};

Decoded decode(std::string_view text, std::size_t at) {
  const Utf8Char found = decode_utf8(text.substr(at));
  if (found.length == 0) return {0xfffd, 1, false};
  return {found.point, found.length, true};
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Decoded decoded = decode(text, at);
    if (!decoded.valid) return at;
    at += decoded.length;
  }
  return std::string_view::npos;
}

std::size_t character_length(std::string_view text, std::size_t at) { return decode(text, at).length; }

std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += character_length(text, at)) ++count;
  return count;
}

char32_t decode_character(std::string_view text, std::size_t at) { return decode(text, at).character; }

void append_utf8(std::string& text, char32_t character) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (character < 0x80) {
    put(character);
    return;
  }
  if (character < 0x800) {
    put(0xc0 | character >> 6);
  } else {
    if (character < 0x10000) {
      put(0xe0 | character >> 12);
    } else {
      put(0xf0 | character >> 18);
      put(0x80 | (character >> 12 & 0x3f));
    }
    put(0x80 | (character >> 6 & 0x3f));
  }
  put(0x80 | (character & 0x3f));
}

bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x3000;
}

std::size_t skip_space_front(std::string_view text, std::size_t begin) {
  while (begin < text.size()) {
    const Decoded decoded = decode(text, begin);
    if (!is_space(decoded.character)) break;
    begin += decoded.length;
  }
  return begin;
}

std::size_t skip_space_back(std::string_view text, std::size_t end) {
  while (end > 0) {
    std::size_t start = end - 1;
    // A character has at most three bytes after its first.
    while (start > 0 && end - start < 4 && (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80) --start;
    const Decoded decoded = decode(text.substr(0, end), start);
    if (!decoded.valid || start + decoded.length != end || !is_space(decoded.character)) break;
    end = start;
  }
  return end;
}

}  // namespace armature::chat
