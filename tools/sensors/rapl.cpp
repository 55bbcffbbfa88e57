#include <set>

#include "engine/machine_text.h"
#include "gguf/compose.h"
#include "tools/sensors/energy.h"

/// Running average power limits: counters of the processors, by the kernel's powercap interface
/// (Documentation/power/powercap/powercap.rst). Intel from Sandy Bridge, AMD from Zen on.
namespace armature::tools {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// The smallest counter has 32 bits in units of 15.3 microjoules (AMD; DRAM of Intel servers): 65.5 kJ. Read
// once in this time, it wraps around no more than once up to 2 kW a package.
constexpr auto kPeriod = 30s;
constexpr auto kLongestGap = 60s;
// Counters move about once a millisecond (Intel SDM, volume 3, 16.10.1): here within 5 % of what they count.
constexpr auto kShortest = 20ms;

std::string name_of(const fs::path& domain) {
  return std::string(machine::trimmed(machine::read_file(domain / "name")));
}

/// Whether a domain counts: "package-0" and "package-0 dram" do. Cores and the graphics processor are within
/// the package; "psys" is all of the platform, packages with it.
bool counts(std::string_view name) {
  if (!name.starts_with("package")) return false;
  const std::size_t space = name.find(' ');
  return space == name.npos || name.substr(space + 1) == "dram";
}

/// Adds "<control type>:<n>" and "<control type>:<n>:<m>" unless a domain of that name is there.
void add_domains(const fs::path& folder, std::string_view control_type, EnergySource& source,
                 std::set<std::string>& seen) {
  const auto add = [&](const std::string& name, const fs::path& domain) {
    if (!counts(name) || !seen.insert(name).second) return;
    const auto range = machine::read_number<std::uint64_t>(domain / "max_energy_range_uj");
    source.sensors.push_back({EnergySensor::Kind::Energy, name, domain / "energy_uj", range.value_or(0)});
  };
  for (const auto& [number, package] : machine::numbered(folder, compose("{}:", control_type))) {
    const std::string name = name_of(package);
    add(name, package);
    for (const auto& [part, domain] : machine::numbered(folder, compose("{}:{}:", control_type, number)))
      add(compose("{} {}", name, name_of(domain)), domain);
  }
}

}  // namespace

EnergySource find_rapl(const fs::path& root) {
  EnergySource source;
  source.period = kPeriod;
  source.longest_gap = kLongestGap;
  source.shortest = kShortest;
  std::set<std::string> seen;
  // The second shows the counters of the first once more, read another way.
  for (const std::string_view control_type : {"intel-rapl", "intel-rapl-mmio"})
    add_domains(root / "sys/class/powercap", control_type, source, seen);
  std::string names;
  for (const std::string& name : seen) names += compose("{}{}", names.empty() ? "" : ", ", name);
  source.name = compose("RAPL ({})", names);
  return source;
}

}  // namespace armature::tools
