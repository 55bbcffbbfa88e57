#include "engine/tokenizer/unicode.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace armature::unicode {

namespace {

struct Range {
  char32_t first;
  Properties properties;
};

constexpr Range kRanges[] = {
#include "engine/tokenizer/unicode_table.inc"
};

constexpr Properties look_up(char32_t code_point) {
  const Range* after = std::upper_bound(std::begin(kRanges), std::end(kRanges), code_point,
                                        [](char32_t c, const Range& range) { return c < range.first; });
  return std::prev(after)->properties;
}

constexpr auto kAscii = [] {
  std::array<Properties, 128> table{};
  for (char32_t c = 0; c < 128; ++c) table[c] = look_up(c);
  return table;
}();

struct CategoryName {
  std::string_view name;
  Properties properties;
};

constexpr CategoryName kCategoryNames[] = {
    {"Lu", Lu}, {"Ll", Ll}, {"Lt", Lt}, {"Lm", Lm}, {"Lo", Lo}, {"Mn", Mn}, {"Mc", Mc}, {"Me", Me},
    {"Nd", Nd}, {"Nl", Nl}, {"No", No}, {"Pc", Pc}, {"Pd", Pd}, {"Ps", Ps}, {"Pe", Pe}, {"Pi", Pi},
    {"Pf", Pf}, {"Po", Po}, {"Sm", Sm}, {"Sc", Sc}, {"Sk", Sk}, {"So", So}, {"Zs", Zs}, {"Zl", Zl},
    {"Zp", Zp}, {"Cc", Cc}, {"Cf", Cf}, {"Cs", Cs}, {"Co", Co}, {"Cn", Cn},
};

}  // namespace

Properties properties_of(char32_t code_point) {
  return code_point < kAscii.size() ? kAscii[code_point] : look_up(code_point);
}

std::optional<Properties> category_named(std::string_view name) {
  Properties found = 0;
  for (const CategoryName& category : kCategoryNames) {
    if (category.name == name || category.name.substr(0, 1) == name) found |= category.properties;
  }
  return found != 0 ? std::optional(found) : std::nullopt;
}

char32_t fold_to_ascii(char32_t code_point) {
  if (code_point >= 'A' && code_point <= 'Z') return code_point + ('a' - 'A');
  if (code_point == 0x017F) return 's';
  if (code_point == 0x212A) return 'k';
  return code_point;
}

}  // namespace armature::unicode
