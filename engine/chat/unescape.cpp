#include <algorithm>

#include "engine/chat/lexer.h"
#include "engine/chat/utf8.h"

namespace armature::chat {
namespace {

constexpr int kNotHex = 16;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return kNotHex;
}

/// Reads one escape of Python's string literals; `at` is after the backslash and is moved past the escape.
class EscapeReader {
 public:
  EscapeReader(const Source& source, std::string_view body, std::size_t body_offset)
      : source_(source), body_(body), body_offset_(body_offset) {}

  void read(std::string& result, std::size_t& at) const {
    const char kind = body_[at++];
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    if (const std::size_t letter = kLetters.find(kind); letter != std::string_view::npos) {
      result.push_back(kMeanings[letter]);
    } else if (kind == 'x' || kind == 'u' || kind == 'U') {
      append_utf8(result, hex(at, kind == 'x' ? 2 : kind == 'u' ? 4 : 8));
    } else if (kind >= '0' && kind <= '7') {
      --at;
      append_utf8(result, octal(at));
    } else if (kind != '\n') {  // a backslash in front of a line end takes it away; others stay as they are
      result.push_back('\\');
      result.push_back(kind);
    }
  }

 private:
  char32_t hex(std::size_t& at, std::size_t digits) const {
    std::uint32_t value = 0;
    for (const std::size_t end = at + digits; at < end; ++at) {
      const int digit = at < body_.size() ? hex_digit(body_[at]) : kNotHex;
      if (digit == kNotHex) source_.fail(body_offset_ + at, "a string escape with too few digits");
      value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
      source_.fail(body_offset_ + at, "a string escape that is no character");
    }
    return value;
  }

  char32_t octal(std::size_t& at) const {
    char32_t value = 0;
    for (int i = 0; i < 3 && at < body_.size() && body_[at] >= '0' && body_[at] <= '7'; ++i, ++at) {
      value = value * 8 + static_cast<char32_t>(body_[at] - '0');
    }
    return value;
  }

  const Source& source_;
  std::string_view body_;
  std::size_t body_offset_;
};

}  // namespace

std::string unescape(const Source& source, const Token& token) {
  const std::string_view body = token.text.substr(1, token.text.size() - 2);
  const EscapeReader escapes(source, body, token.offset + 1);
  std::string result;
  result.reserve(body.size());
  for (std::size_t at = 0; at < body.size();) {
    if (body[at] != '\\') {
      result.push_back(body[at++]);
    } else {
      escapes.read(result, ++at);
    }
  }
  return result;
}

}  // namespace armature::chat
