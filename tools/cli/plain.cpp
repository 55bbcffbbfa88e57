#include "tools/cli/plain.h"

#include "gguf/error.h"

namespace armature::tools {

std::string plain(std::string_view text) {
  const std::string quoted = quote(text);
  const bool needs_none = !text.empty() && text.find_first_of(" \'") == std::string_view::npos &&
                          quoted.size() == text.size() + 2;
  return needs_none ? std::string(text) : quoted;
}

}  // namespace armature::tools
