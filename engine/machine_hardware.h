#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// What kind of machine this is, for people to read; nothing is decided by it. `root` stands for "/" (see
/// machine_files.h). What the system does not tell is left out.
namespace armature::machine {

/// CPUs that are online, ascending; `otherwise` where the system does not say.
std::vector<std::size_t> online_cpus(const std::filesystem::path& root, std::vector<std::size_t> otherwise);

/// CPUs with cores of one kind, e.g. "Cortex-A53 r0p4".
struct CoreKind {
  std::string name;
  std::vector<std::size_t> cpus;
};
/// What the CPU that asks says of itself; see kernels/cpu.h.
struct CpuIdentity {
  std::string brand;
  std::uint32_t midr = 0;
};
/// The kinds among `cpus`, by their first CPU. Arm: Main ID Registers as /sys, then /proc/cpuinfo shows them,
/// then `own`. x86: the brand, apart for performance and efficient cores.
std::vector<CoreKind> core_kinds(const std::filesystem::path& root, const std::vector<std::size_t>& cpus,
                                 const CpuIdentity& own);

/// Caches that are alike.
struct Cache {
  std::size_t level = 0;      // 1: nearest to the core
  std::string type;           // "data", "instruction", "unified"
  std::uint64_t bytes = 0;    // of one
  std::size_t line = 0;       // bytes; 0 where it is not known
  std::size_t shared_by = 0;  // CPUs that one serves; 0 where it is not known
  std::size_t count = 0;      // how many there are; 0 where it is not known
};
/// Those of `cpus`, by level and type.
std::vector<Cache> caches(const std::filesystem::path& root, const std::vector<std::size_t>& cpus);

/// What the C library knows of this machine's caches, for where /sys is not there.
std::vector<Cache> caches_known_to_libc();

/// Pages of one size that the system has set aside (hugetlbfs).
struct HugePages {
  std::uint64_t bytes = 0;  // of one
  std::uint64_t total = 0, free = 0;
};
struct Pages {
  std::string transparent;              // setting of transparent huge pages: "always", "madvise", "never"
  std::uint64_t transparent_bytes = 0;  // of one; 0 where it is not known
  std::vector<HugePages> huge;          // by size
};
Pages pages(const std::filesystem::path& root);

struct NumaNode {
  std::size_t number = 0;
  std::vector<std::size_t> cpus;
  std::uint64_t bytes = 0;  // of its memory; 0 where it is not known
};
/// By number.
std::vector<NumaNode> numa_nodes(const std::filesystem::path& root);

std::optional<std::uint64_t> total_memory(const std::filesystem::path& root);

/// As the kernel writes it: "0-3,8".
std::string cpu_list(const std::vector<std::size_t>& cpus);

}  // namespace armature::machine
