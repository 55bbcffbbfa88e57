#pragma once

#include <cstdint>
#include <string>

namespace armature::cpu {

/// The name of an Arm core by its Main ID Register, with variant and revision, e.g. "Neoverse-N2 r0p3"; of a
/// core that is not known its numbers, e.g. "implementer 0x41, part 0xfff, r0p0".
std::string arm_core_name(std::uint32_t midr);

}  // namespace armature::cpu
