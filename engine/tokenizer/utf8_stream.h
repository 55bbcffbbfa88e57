#pragma once

#include <string>
#include <string_view>

namespace armature {

/// Makes valid UTF-8 of bytes that come in pieces, e.g. one token at a time: what may still become a
/// character is held back (at most 3 bytes), and each maximal ill-formed stretch (The Unicode Standard,
/// section 3.9, "substitution of maximal subparts") becomes one U+FFFD. How the bytes were cut into pieces
/// makes no difference.
class Utf8Stream {
 public:
  /// Appends to `out` all text that is complete with these bytes.
  void push(std::string_view bytes, std::string& out);
  /// The end: a character held back is incomplete for good and becomes U+FFFD. Ready for another text.
  void flush(std::string& out);

 private:
  std::string held_;
};

}  // namespace armature
