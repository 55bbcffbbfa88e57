#include "tools/cli/quoted_field.h"

namespace armature::tools {

std::string quoted_field(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  return out + quote;
}

}  // namespace armature::tools
