#pragma once

#include <string>
#include <string_view>

namespace armature {

/// The library that to_nfc() needs, and the package that has it: "utf8proc (libutf8proc-dev)".
inline constexpr std::string_view kNfcLibrary = "utf8proc (libutf8proc-dev)";

/// True if the program was built with that library.
bool nfc_is_available();

/// `text` in Unicode normalisation form C. Bytes that are not UTF-8 stay, and nothing is composed across
/// them. Time is O(n log n). Throws Error bad_argument where normalisation is not available.
std::string to_nfc(std::string_view text);

/// True if to_nfc() would change nothing. Needs the library only for texts with characters from U+0300 up.
bool is_nfc(std::string_view text);

}  // namespace armature
