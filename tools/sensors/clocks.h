#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// How fast and how hot processors are at a moment. `root` stands for "/".
namespace armature::tools {

struct Clocks {
  double min = 0, mean = 0, max = 0;  // MHz, of the CPUs that were asked
  std::string governor;               // "performance", "schedutil, userspace"; empty where it is not known
  std::string source;
};
/// Of each of `cpus`, by cpufreq; nothing where it does not tell.
std::optional<Clocks> read_cpufreq(const std::filesystem::path& root, const std::vector<std::size_t>& cpus);

/// The clock of the core that runs the caller, in MHz: so many additions a second of which each needs the
/// one before, which takes a cycle on every processor that we know. Takes 2 ms. Emulation makes no sense of
/// it.
double measure_clock_mhz();
inline constexpr const char* kMeasuredClock = "measured by dependent additions on one core";

struct Temperature {
  double celsius = 0;
  std::string sensor;  // "hwmon coretemp, Package id 0", "thermal zone cpu-thermal"
};
/// The highest that hwmon or a thermal zone shows for processors; where none is known to be theirs, the
/// highest of all.
std::optional<Temperature> read_temperature(const std::filesystem::path& root);

}  // namespace armature::tools
