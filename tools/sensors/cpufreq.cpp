#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "engine/machine_text.h"
#include "gguf/compose.h"
#include "tools/sensors/clocks.h"

namespace armature::tools {

namespace fs = std::filesystem;

std::optional<Clocks> read_cpufreq(const fs::path& root, const std::vector<std::size_t>& cpus) {
  Clocks clocks;
  std::set<std::string> governors;
  double sum = 0, n = 0;
  for (const std::size_t cpu : cpus) {
    const fs::path folder = root / "sys/devices/system/cpu" / compose("cpu{}", cpu) / "cpufreq";
    const auto khz = machine::read_number<std::uint64_t>(folder / "scaling_cur_freq");
    if (!khz || *khz == 0) continue;
    const double mhz = static_cast<double>(*khz) / 1000;
    clocks.min = n == 0 ? mhz : std::min(clocks.min, mhz);
    clocks.max = std::max(clocks.max, mhz);
    sum += mhz;
    n += 1;
    if (std::string name(machine::trimmed(machine::read_file(folder / "scaling_governor"))); !name.empty())
      governors.insert(std::move(name));
  }
  if (n == 0) return std::nullopt;
  clocks.mean = sum / n;
  for (const std::string& name : governors)
    clocks.governor += compose("{}{}", clocks.governor.empty() ? "" : ", ", name);
  clocks.source = "cpufreq, scaling_cur_freq";
  return clocks;
}

}  // namespace armature::tools
