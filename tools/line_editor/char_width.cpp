#include "tools/line_editor/char_width.h"

#include <locale.h>
#include <wchar.h>

namespace armature::tools {

int char_width(char32_t character) {
  if (character < 0x80) return character < 0x20 || character == 0x7F ? -1 : 1;
  // The process runs in the C locale, in which wcwidth() knows ASCII only.
  static const locale_t unicode = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (unicode == nullptr) return 1;
  const locale_t before = ::uselocale(unicode);
  const int width = ::wcwidth(static_cast<wchar_t>(character));
  ::uselocale(before);
  return width;
}

}  // namespace armature::tools
