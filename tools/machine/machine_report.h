#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/machine.h"
#include "engine/machine_hardware.h"
#include "kernels/cpu.h"

namespace armature::tools {

/// What this process asked the processor and the system by calls, not by files.
struct ProcessFacts {
  cpu::Features detected = cpu::kNone, used = cpu::kNone;
  std::string masked_by;     // "--isa", "ARMATURE_ISA"; empty where all that was detected is used
  std::size_t sve_bits = 0;  // 0 without SVE
  machine::CpuIdentity identity;
  std::vector<std::size_t> allowed_cpus;    // not empty
  std::vector<machine::Cache> caches;       // for where the files tell none
  std::optional<std::uint64_t> page_bytes;  // of ordinary pages
  MemoryLimits limits;
};

/// The machine as the engine sees it.
struct MachineReport {
  ProcessFacts process;
  std::vector<machine::CoreKind> cores;
  std::vector<std::size_t> online_cpus, fast_cpus;
  std::optional<double> quota;  // CPUs
  ThreadChoice threads;
  std::vector<machine::Cache> caches;
  machine::Pages pages;
  std::vector<machine::NumaNode> nodes;
  std::optional<std::uint64_t> memory_total, memory_available, cgroup_left;
};

/// `root` stands for "/"; see engine/machine_files.h.
MachineReport read_machine(const std::filesystem::path& root, const ProcessFacts& process);

/// One JSON object with a line end. What is not known is null or an empty array.
std::string to_json(const MachineReport& report);
/// Lines for people, with line ends.
std::string to_text(const MachineReport& report);

}  // namespace armature::tools
