#include "engine/tokenizer/byte_chars.h"

#include <array>

#include "engine/tokenizer/utf8.h"

namespace armature {

namespace {

constexpr bool is_own_char(std::size_t byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::size_t kFirstMoved = 0x100;

constexpr auto kCharOfByte = [] {
  std::array<char32_t, 256> table{};
  char32_t moved = kFirstMoved;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    table[byte] = is_own_char(byte) ? static_cast<char32_t>(byte) : moved++;
  }
  return table;
}();

constexpr int kNoByte = -1;
constexpr auto kByteOfChar = [] {
  std::array<int, kFirstMoved + 68> table{};
  table.fill(kNoByte);
  for (int byte = 0; byte < 256; ++byte) table[kCharOfByte[static_cast<std::size_t>(byte)]] = byte;
  return table;
}();

}  // namespace

void append_byte_char(std::string& out, std::uint8_t byte) { append_utf8(out, kCharOfByte[byte]); }

void append_bytes_of_chars(std::string& out, std::string_view spelling) {
  while (!spelling.empty()) {
    const Utf8Start start = read_utf8(spelling);
    const int byte = start.kind == Utf8Kind::character && start.code_point < kByteOfChar.size()
                         ? kByteOfChar[start.code_point]
                         : kNoByte;
    if (byte != kNoByte) {
      out += static_cast<char>(byte);
    } else {
      out.append(spelling.substr(0, start.length));
    }
    spelling.remove_prefix(start.length);
  }
}

}  // namespace armature
