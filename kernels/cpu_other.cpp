#if !defined(__x86_64__) && !defined(__aarch64__)

#include "kernels/cpu_detect.h"

namespace armature::cpu {

Features ask_machine() { return kNone; }
std::uint32_t sve_bytes() { return 0; }
std::string brand() { return {}; }
std::uint32_t midr() { return 0; }

const Architecture& architecture() {
  static const Architecture kScalar{{{"scalar", kNone}}, Names::Set};
  return kScalar;
}

}  // namespace armature::cpu

#endif
