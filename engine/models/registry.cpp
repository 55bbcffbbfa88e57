#include "engine/models/registry.h"

#include <string>

namespace armature {

namespace {
constexpr Architecture kArchitectures[] = {
    {"llama", read_llama},
    {"mistral3", read_mistral3},
    {"phi3", read_phi3},
    {"qwen2", read_qwen2},
};
}  // namespace

std::span<const Architecture> architectures() { return kArchitectures; }

const Architecture& find_architecture(const gguf::Metadata& metadata) {
  const std::string_view name = metadata.require_string("general.architecture");
  std::string known;
  for (const Architecture& a : kArchitectures) {
    if (a.name == name) return a;
    known += (known.empty() ? "" : ", ") + std::string(a.name);
  }
  throw metadata.error(ErrorCode::unknown_architecture, "general.architecture",
                       "architecture " + quote(name) + " is not supported; supported are " + known);
}

}  // namespace armature
