#pragma once

#include "kernels/cpu.h"

/// What cpu.cpp asks of the architecture: cpu_x86.cpp, cpu_arm.cpp, or cpu_other.cpp for the rest.
namespace armature::cpu {

/// Whether the names of isas() are levels, each with all below it, or members of a set.
enum class Names : std::uint8_t { Levels, Set };

struct Architecture {
  std::vector<Isa> isas;  // as isas() gives them
  Names names;
};

const Architecture& architecture();
/// detect(), anew at each call.
Features ask_machine();

}  // namespace armature::cpu
