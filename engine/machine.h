#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace armature {

/// How many threads to use, and why: the CPUs that the affinity mask allows, less where a cgroup quota (v1 or
/// v2) grants less, less where some of the cores are of a slower class (Arm cpu_capacity, x86 core types).
struct ThreadChoice {
  std::size_t n_threads = 1;
  std::string reason;  // e.g. "2 CPUs in the affinity mask"
};
ThreadChoice choose_threads();

/// The CPUs that this process may run on, ascending; at least one.
std::vector<std::size_t> allowed_cpus();
std::size_t n_allowed_cpus();

/// Bytes that can be allocated without swapping: MemAvailable, or what a limit of the cgroup or of the
/// process leaves if that is less. Where neither is known, the largest std::size_t.
std::size_t available_memory();

/// Limits on this process's memory, in bytes; nothing where there is none.
struct MemoryLimits {
  std::optional<std::uint64_t> address_space = {};  // ulimit -v
  std::optional<std::uint64_t> data = {};           // ulimit -d
  std::optional<std::uint64_t> locked = {};         // ulimit -l
};
MemoryLimits memory_limits();

/// Largest resident set of this process so far, in bytes; 0 where it is not known.
std::size_t peak_rss();

}  // namespace armature
