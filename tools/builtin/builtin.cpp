#include "tools/builtin/builtin.h"

extern "C" {
extern const std::byte armature_builtin_begin[];
extern const std::byte armature_builtin_end[];
}

namespace armature::tools {

std::span<const std::byte> builtin_model() { return {armature_builtin_begin, armature_builtin_end}; }

}  // namespace armature::tools
