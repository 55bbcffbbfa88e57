#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// What kept processors from running at full speed. `root` stands for "/".
namespace armature::tools {

/// A CPU's count of the times that its core or package got too hot (x86, thermal_throttle).
struct ThermalCount {
  enum class Of : std::uint8_t { Core, Package };
  std::size_t cpu = 0;
  Of of = Of::Core;
  std::string group;  // equal for the CPUs of one core or package, which count the same events
  std::uint64_t count = 0;
};
/// Of all CPUs that are online; empty where there are none.
std::vector<ThermalCount> read_thermal_counts(const std::filesystem::path& root);

struct ThermalEvents {
  std::uint64_t core = 0, package = 0;  // each event once for a core or package
};
/// Nothing where there are no counters, or one of them went back or away.
std::optional<ThermalEvents> events_between(const std::vector<ThermalCount>& before,
                                            const std::vector<ThermalCount>& after);

/// How far processors are slowed down now: the largest state of the cooling devices that do it.
struct CoolingState {
  std::uint64_t state = 0, most = 0;  // of that device; 0: not at all
  std::string type;                   // "thermal-cpufreq-0"
};
std::optional<CoolingState> read_cooling(const std::filesystem::path& root);

/// Times that a quota held this process's cgroups, all of their threads together.
struct QuotaCounts {
  std::uint64_t periods = 0;      // in which the quota was used up
  std::uint64_t nanoseconds = 0;  // that the CPUs were withheld
};
/// The sum over the process's cgroup and those above it; nothing where none of them counts.
std::optional<QuotaCounts> read_quota_counts(const std::filesystem::path& root);

/// Time of CPUs in ticks (USER_HZ), by /proc/stat.
struct CpuTicks {
  std::uint64_t all = 0;
  std::uint64_t stolen = 0;  // the hypervisor ran something else
};
/// Of `cpus` together, or of all where the system does not list them apart.
std::optional<CpuTicks> read_cpu_ticks(const std::filesystem::path& root,
                                       const std::vector<std::size_t>& cpus);

}  // namespace armature::tools
