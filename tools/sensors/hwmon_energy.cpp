#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "engine/machine_text.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/sensors/energy.h"
#include "tools/sensors/hwmon.h"

namespace armature::tools {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

/// A chip that meters processors, and which of its values do not overlap.
struct Chip {
  std::string_view name;
  std::array<std::string_view, 2> labels;  // beginnings; those that have the first one, else the second
};
// By the kernel's drivers, the closest to the processors first: only the first one found counts, since what
// they meter may overlap. Other chips meter disks, network cards, power supplies and graphics.
constexpr std::array kChips = {
    Chip{"amd_energy", {"Esocket", "Ecore"}},  // sockets, else their cores
    // NVIDIA Grace: the socket with its memory, of which "CPU" and "SysIO" are parts.
    Chip{"power_meter", {"Grace Power Socket", "CPU Power Socket"}},
    Chip{"smpro_hwmon", {"", ""}},  // Ampere Altra: regulators of cores, SoC and memory
    Chip{"apm_xgene", {"CPU power", ""}}, Chip{"scmi_sensors", {"", ""}},  // Arm boards, by their firmware
    Chip{"scpi_sensors", {"", ""}}, Chip{"vexpress_energy", {"", ""}}, Chip{"vexpress_power", {"", ""}},
    Chip{"fam15h_power", {"", ""}}, Chip{"zenpower", {"SVI2_P_", ""}},
    Chip{"power_meter", {"", ""}},  // of the whole machine
};

// A value of power is read so often: 10 microseconds (Zen 5, kernel 6) and what the driver takes, so 0.01 %
// of one core for each file.
constexpr auto kPowerPeriod = 100ms;
constexpr auto kLongestPowerGap = 1s;
// So many values make the first and the last, taken next to idle time, weigh 10 %.
constexpr int kFewestValues = 10;
// No driver says how often its counter moves; this is that of RAPL with room.
constexpr auto kShortestEnergy = 100ms;

bool meters_graphics(const HwmonFile& file) {
  return file.label.find("GPU") != file.label.npos || file.label.find("gpu") != file.label.npos;
}

std::vector<HwmonFile> files_of(const Chip& chip, const std::vector<HwmonFile>& all) {
  for (const std::string_view label : chip.labels) {
    std::vector<HwmonFile> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](const HwmonFile& file) {
      return file.chip == chip.name && file.label.starts_with(label) && !meters_graphics(file);
    });
    if (!chosen.empty()) return chosen;
  }
  return {};
}

std::vector<HwmonFile> files_of_processors(const std::vector<HwmonFile>& all) {
  for (const Chip& chip : kChips)
    if (auto files = files_of(chip, all); !files.empty()) return files;
  return {};
}

std::string other_chips(const std::vector<HwmonFile>& all, std::string_view what) {
  std::set<std::string> names;
  for (const HwmonFile& file : all) names.insert(quote(file.chip));
  std::string list;
  for (const std::string& name : names) list += compose("{}{}", list.empty() ? "" : ", ", name);
  return compose("hwmon shows the {} of {}, not known to be that of processors", what, list);
}

EnergySource source_of(const std::vector<HwmonFile>& all, EnergySensor::Kind kind) {
  EnergySource source;
  if (files_of_processors(all).empty() && !all.empty())
    source.reason = other_chips(all, kind == EnergySensor::Kind::Energy ? "energy" : "power");
  std::string names;
  for (const HwmonFile& file : files_of_processors(all)) {
    const std::string& name = file.label.empty() ? file.file.filename().string() : file.label;
    names += compose("{}{}", names.empty() ? "" : ", ", name);
    source.name = compose("hwmon {} ({})", file.chip, names);
    source.sensors.push_back({kind, name, file.file});
  }
  return source;
}

}  // namespace

EnergySource find_hwmon_energy(const fs::path& root) {
  EnergySource source = source_of(hwmon_files(root, "energy", {"input"}), EnergySensor::Kind::Energy);
  source.shortest = kShortestEnergy;
  return source;
}

EnergySource find_hwmon_power(const fs::path& root) {
  EnergySource source =
      source_of(hwmon_files(root, "power", {"average", "input"}), EnergySensor::Kind::Power);
  source.period = kPowerPeriod;
  source.longest_gap = kLongestPowerGap;
  nanoseconds renewed = kPowerPeriod;
  for (const EnergySensor& sensor : source.sensors) {
    // "power1_average_interval": milliseconds that a value is the mean of.
    const auto interval = machine::read_number<std::uint32_t>(sensor.file.string() + "_interval");
    renewed = std::max<nanoseconds>(renewed, std::chrono::milliseconds(interval.value_or(0)));
  }
  source.shortest = kFewestValues * renewed;
  return source;
}

}  // namespace armature::tools
