#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "engine/machine_text.h"
#include "gguf/compose.h"
#include "tools/sensors/clocks.h"
#include "tools/sensors/hwmon.h"

namespace armature::tools {

namespace fs = std::filesystem;

namespace {

// Parts of the names of chips and thermal zones of processors: coretemp, k10temp, zenpower, cpu_thermal,
// x86_pkg_temp, soc-thermal, smpro_hwmon, apm_xgene, scmi_sensors, scpi_sensors.
constexpr std::array kProcessors = {"core", "k8temp", "k10temp", "zen",   "cpu",  "pkg",
                                    "soc",  "smpro",  "xgene",   "scmi_", "scpi_"};

struct Found {
  Temperature temperature;
  bool of_processor = false;
};

/// Of millidegrees. Drivers show 0 or extreme values for sensors that are not there.
std::optional<double> read_celsius(const fs::path& file) {
  const auto value = machine::read_number<std::int64_t>(file);
  if (!value || *value <= 0 || *value >= 150000) return std::nullopt;
  return static_cast<double>(*value) / 1000;
}

void add(std::vector<Found>& all, const fs::path& file, std::string_view name, std::string sensor) {
  const auto celsius = read_celsius(file);
  if (!celsius) return;
  const bool of_processor = std::any_of(kProcessors.begin(), kProcessors.end(),
                                        [&](std::string_view part) { return name.find(part) != name.npos; });
  all.push_back({{*celsius, std::move(sensor)}, of_processor});
}

}  // namespace

std::optional<Temperature> read_temperature(const fs::path& root) {
  std::vector<Found> all;
  for (const HwmonFile& file : hwmon_files(root, "temp", {"input"}))
    add(all, file.file, file.chip,
        compose("hwmon {}{}{}", file.chip, file.label.empty() ? "" : ", ", file.label));
  for (const auto& [number, zone] : machine::numbered(root / "sys/class/thermal", "thermal_zone")) {
    const std::string type(machine::trimmed(machine::read_file(zone / "type")));
    add(all, zone / "temp", type, compose("thermal zone {}", type));
  }
  const auto hottest = std::max_element(all.begin(), all.end(), [](const Found& a, const Found& b) {
    return std::pair(a.of_processor, a.temperature.celsius) <
           std::pair(b.of_processor, b.temperature.celsius);
  });
  return hottest == all.end() ? std::nullopt : std::optional(hottest->temperature);
}

}  // namespace armature::tools
