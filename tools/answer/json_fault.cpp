#include "tools/answer/json_fault.h"

#include "gguf/compose.h"

namespace armature::tools {

std::string json_fault(std::string_view what) {
  constexpr std::string_view kBefore = "while parsing ";
  const std::size_t begin = what.find(kBefore);
  if (begin == std::string_view::npos) return "not JSON";
  const std::string_view fault = what.substr(begin + kBefore.size());
  return compose("not JSON: {}", fault.substr(0, fault.find("; last read")));
}

}  // namespace armature::tools
