#include "gguf/utf8.h"

namespace armature {
namespace {

struct Form {
  std::size_t length;
  char32_t lead_bits;  // of the first byte
  char32_t smallest;   // below it the form is overlong
};

Form form_of(unsigned char lead) {
  if (lead < 0x80) return {1, lead, 0};
  if (lead >> 5 == 0x6) return {2, lead & 0x1fu, 0x80};
  if (lead >> 4 == 0xe) return {3, lead & 0x0fu, 0x800};
  if (lead >> 3 == 0x1e) return {4, lead & 0x07u, 0x10000};
  return {0, 0, 0};
}

}  // namespace

Utf8Char decode_utf8(std::string_view text) {
  constexpr Utf8Char kInvalid = {0, 0};
  if (text.empty()) return kInvalid;
  const Form form = form_of(static_cast<unsigned char>(text[0]));
  if (form.length == 0 || form.length > text.size()) return kInvalid;
  char32_t point = form.lead_bits;
  for (std::size_t i = 1; i < form.length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >> 6 != 0x2) return kInvalid;
    point = point << 6 | (byte & 0x3fu);
  }
  const bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
  if (point < form.smallest || point > 0x10ffff || is_surrogate) return kInvalid;
  return {point, form.length};
}

}  // namespace armature
