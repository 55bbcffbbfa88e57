#include "engine/tokenizer/utf8.h"

namespace armature {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// What a lead byte asks for: length of the character and the range of the second byte, which is where
/// overlong forms, surrogates and numbers above U+10FFFF are told apart (The Unicode Standard, table 3-7).
struct Lead {
  std::uint8_t length;  // 0: no character starts with this byte
  std::uint8_t second_low = 0x80;
  std::uint8_t second_high = 0xBF;
};

constexpr Lead lead_of(std::uint8_t byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

}  // namespace

Utf8Start read_utf8(std::string_view text) {
  const auto first = static_cast<std::uint8_t>(text[0]);
  const Lead lead = lead_of(first);
  if (lead.length == 1) return {Utf8Kind::character, 1, first};
  if (lead.length == 0) return {Utf8Kind::ill_formed, 1, kReplacement};
  auto code_point = static_cast<char32_t>(first & (0x7F >> lead.length));
  for (std::uint8_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) return {Utf8Kind::incomplete, i, kReplacement};
    const auto byte = static_cast<std::uint8_t>(text[i]);
    const std::uint8_t low = i == 1 ? lead.second_low : 0x80;
    const std::uint8_t high = i == 1 ? lead.second_high : 0xBF;
    if (byte < low || byte > high) return {Utf8Kind::ill_formed, i, kReplacement};
    code_point = (code_point << 6) | (byte & 0x3F);
  }
  return {Utf8Kind::character, lead.length, code_point};
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto continuation = [code_point](int shift) {
    return static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += {static_cast<char>(0xC0 | (code_point >> 6)), continuation(0)};
  } else if (code_point < 0x10000) {
    out += {static_cast<char>(0xE0 | (code_point >> 12)), continuation(6), continuation(0)};
  } else {
    out += {static_cast<char>(0xF0 | (code_point >> 18)), continuation(12), continuation(6), continuation(0)};
  }
}

}  // namespace armature
