#include "gguf/error.h"

#include <iterator>
#include <utility>

#include "gguf/compose.h"
#include "gguf/utf8.h"

namespace armature {
namespace {

constexpr std::string_view kCodeNames[] = {
    // in the order of ErrorCode
    "too_short",
    "bad_magic",
    "bad_version",
    "wrong_endian",
    "bad_count",
    "bad_key",
    "duplicate_key",
    "bad_value_type",
    "bad_bool",
    "bad_string",
    "bad_array",
    "too_deep",
    "bad_alignment",
    "bad_tensor_name",
    "duplicate_tensor",
    "bad_rank",
    "bad_dimension",
    "size_overflow",
    "bad_tensor_type",
    "bad_row",
    "misaligned",
    "out_of_file",
    "overlap",
    "missing_key",
    "wrong_key_type",
    "bad_value",
    "unknown_architecture",
    "missing_tensor",
    "wrong_shape",
    "wrong_tensor_type",
    "bad_vocab",
    "unknown_tokenizer",
    "unknown_pre_tokenizer",
    "bad_merges",
    "bad_split",
    "not_finite",
    "bad_template",
    "bad_argument",
    "prompt_too_long",
    "out_of_memory",
    "io",
    "file_changed",
};
static_assert(std::size(kCodeNames) == static_cast<std::size_t>(ErrorCode::file_changed) + 1);

// Besides controls: format characters that move, hide or reorder what stands around them.
bool is_printable(char32_t point) {
  if (point < 0x20 || (point >= 0x7f && point <= 0x9f) || point == 0xad) return false;
  if (point >= 0x200b && point <= 0x200f) return false;  // zero width, direction marks
  if (point >= 0x2028 && point <= 0x202e) return false;  // line ends, direction overrides
  if (point >= 0x2060 && point <= 0x206f) return false;  // joiners, direction isolates
  if (point >= 0xe000 && point <= 0xf8ff) return false;  // private use
  return point != 0xfeff && point < 0xe0000;             // byte order mark; tags and later planes
}

void append_escaped(std::string& out, char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

/// Escapes whole characters of `text` until `limit` bytes of it are used; tells how many were.
std::size_t append_printable(std::string& out, std::string_view text, std::size_t limit) {
  std::size_t used = 0;
  while (used < text.size() && used < limit) {
    const Utf8Char c = decode_utf8(text.substr(used));
    const std::size_t length = c.length == 0 ? 1 : c.length;
    if (used + length > limit) break;
    if (c.length > 0 && is_printable(c.point) && c.point != '\\')
      out += text.substr(used, length);
    else
      for (char byte : text.substr(used, length)) append_escaped(out, byte);
    used += length;
  }
  return used;
}

std::string line_of(const Place& place, std::string_view problem) {
  std::string line;
  if (!place.file.empty()) {
    append_printable(line, place.file, place.file.size());
    line += ": ";
  }
  if (place.offset) line += "offset " + hex(*place.offset) + ": ";
  if (!place.item.empty()) line += place.item + ": ";
  return line += problem;
}

}  // namespace

std::string_view name_of(ErrorCode code) { return kCodeNames[static_cast<std::size_t>(code)]; }

Error::Error(ErrorCode code, Place place, std::string_view problem)
    : code_(code), place_(std::move(place)), line_(line_of(place_, problem)) {}

std::string quote(std::string_view text, std::size_t limit) {
  std::string out = "'";
  const std::size_t used = append_printable(out, text, limit);
  if (used < text.size()) out += "...";
  return out += "'";
}

}  // namespace armature
