#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace armature::unicode {

/// A set of properties of code points, one bit each: the 30 general categories and White_Space.
using Properties = std::uint32_t;

// The two-letter names of the Unicode Character Database (UAX 44, table 12).
inline constexpr Properties Lu = 1u << 0, Ll = 1u << 1, Lt = 1u << 2, Lm = 1u << 3, Lo = 1u << 4;
inline constexpr Properties Mn = 1u << 5, Mc = 1u << 6, Me = 1u << 7;
inline constexpr Properties Nd = 1u << 8, Nl = 1u << 9, No = 1u << 10;
inline constexpr Properties Pc = 1u << 11, Pd = 1u << 12, Ps = 1u << 13, Pe = 1u << 14, Pi = 1u << 15;
inline constexpr Properties Pf = 1u << 16, Po = 1u << 17;
inline constexpr Properties Sm = 1u << 18, Sc = 1u << 19, Sk = 1u << 20, So = 1u << 21;
inline constexpr Properties Zs = 1u << 22, Zl = 1u << 23, Zp = 1u << 24;
inline constexpr Properties Cc = 1u << 25, Cf = 1u << 26, Cs = 1u << 27, Co = 1u << 28, Cn = 1u << 29;
inline constexpr Properties White_Space = 1u << 30;

/// The category of a code point, and White_Space if it has that, by Unicode 15.0.
Properties properties_of(char32_t code_point);

/// The categories that a name such as "L" or "Lu" stands for.
std::optional<Properties> category_named(std::string_view name);

/// Simple case folding of letters to ASCII ones: A-Z, U+017F (long s) and U+212A (Kelvin sign). All else is
/// itself.
char32_t fold_to_ascii(char32_t code_point);

}  // namespace armature::unicode
