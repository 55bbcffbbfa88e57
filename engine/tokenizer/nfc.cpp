#include "engine/tokenizer/nfc.h"

#include <algorithm>
#include <vector>

#include "engine/tokenizer/utf8.h"
#include "gguf/compose.h"
#include "gguf/error.h"

#ifdef ARMATURE_HAS_UTF8PROC
#include <utf8proc.h>
#endif

namespace armature {

namespace {

#ifdef ARMATURE_HAS_UTF8PROC

using CodePoint = utf8proc_int32_t;

/// The longest canonical decomposition has 4 (The Unicode Standard, section 3.7; U+1F82 and kin).
constexpr utf8proc_ssize_t kMaxDecomposition = 4;

void append_decomposed(std::vector<CodePoint>& out, char32_t code_point) {
  const std::size_t size = out.size();
  out.resize(size + kMaxDecomposition);
  int boundary = 0;
  const utf8proc_ssize_t n = utf8proc_decompose_char(static_cast<CodePoint>(code_point), out.data() + size,
                                                     kMaxDecomposition, UTF8PROC_DECOMPOSE, &boundary);
  out.resize(size + static_cast<std::size_t>(n));
}

/// Canonical ordering: each run of combining marks by their classes. The library's own takes quadratic time.
void sort_marks(std::vector<CodePoint>& points) {
  const auto class_of = [](CodePoint c) { return utf8proc_get_property(c)->combining_class; };
  const auto is_mark = [&](CodePoint c) { return class_of(c) != 0; };
  for (auto first = points.begin();;) {
    first = std::find_if(first, points.end(), is_mark);
    if (first == points.end()) return;
    const auto last = std::find_if_not(first, points.end(), is_mark);
    std::stable_sort(first, last, [&](CodePoint a, CodePoint b) { return class_of(a) < class_of(b); });
    first = last;
  }
}

/// Appends the normalised form of decomposed characters, and empties them.
void compose_into(std::string& out, std::vector<CodePoint>& points) {
  sort_marks(points);
  const utf8proc_ssize_t n =
      utf8proc_normalize_utf32(points.data(), static_cast<utf8proc_ssize_t>(points.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  for (utf8proc_ssize_t i = 0; i < n; ++i)
    append_utf8(out, static_cast<char32_t>(points[static_cast<std::size_t>(i)]));
  points.clear();
}

std::string normalised(std::string_view text) {
  std::string out;
  std::vector<CodePoint> points;
  while (!text.empty()) {
    const Utf8Start start = read_utf8(text);
    const bool is_character = start.kind == Utf8Kind::character;
    if (is_character) {
      append_decomposed(points, start.code_point);
    } else {
      compose_into(out, points);
      out += text[0];
    }
    text.remove_prefix(is_character ? start.length : 1);
  }
  compose_into(out, points);
  return out;
}

constexpr bool kIsAvailable = true;

#else

std::string normalised(std::string_view) {
  throw Error(ErrorCode::bad_argument,
              compose("this build cannot normalise text: it was made without the library {}", kNfcLibrary));
}

constexpr bool kIsAvailable = false;

#endif

/// The first byte of U+0300. Characters below it are their own normal form, and none of them composes with
/// another.
constexpr unsigned char kFirstLead = 0xCC;

}  // namespace

bool nfc_is_available() { return kIsAvailable; }

std::string to_nfc(std::string_view text) { return normalised(text); }

bool is_nfc(std::string_view text) {
  const auto is_low = [](char c) { return static_cast<unsigned char>(c) < kFirstLead; };
  return std::all_of(text.begin(), text.end(), is_low) || normalised(text) == text;
}

}  // namespace armature
