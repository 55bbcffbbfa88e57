#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace armature {

/// Byte-level vocabularies spell each byte as one printable character: bytes 33-126, 161-172 and 174-255 as
/// the code point of the same number, the other 68 in ascending order as U+0100 to U+0143.
void append_byte_char(std::string& out, std::uint8_t byte);

/// Appends the bytes that such a spelling stands for. What is no such character stays as it is.
void append_bytes_of_chars(std::string& out, std::string_view spelling);

}  // namespace armature
