#include "engine/machine_text.h"
#include "gguf/compose.h"
#include "tools/sensors/energy.h"

/// Batteries of the machine, by Documentation/ABI/testing/sysfs-class-power.
namespace armature::tools {

namespace fs = std::filesystem;

namespace {

// The usual step of a battery's gauge is 10 mWh (ACPI, Smart Battery), 36 J. Ten of them are 10 % exact.
constexpr double kLeastJoules = 360;

std::string line_of(const fs::path& file) { return std::string(machine::trimmed(machine::read_file(file))); }

/// Whether it is what a charger or a socket gives power through, and one is plugged in.
bool is_plugged_in(const fs::path& supply) {
  const std::string type = line_of(supply / "type");
  return (type == "Mains" || type.starts_with("USB")) && line_of(supply / "online") == "1";
}

}  // namespace

EnergySource find_batteries(const fs::path& root) {
  EnergySource source;
  source.least_joules = kLeastJoules;
  const fs::path all = root / "sys/class/power_supply";
  bool on_mains = false;
  std::string names;
  machine::for_each_name(all.c_str(), [&](std::string_view name) {
    const fs::path folder = all / name;
    on_mains = on_mains || is_plugged_in(folder);
    // Scope "Device": of a mouse or a headset.
    if (line_of(folder / "type") != "Battery" || line_of(folder / "scope") == "Device") return;
    EnergySensor sensor;
    sensor.name = name;
    const bool has_energy = !machine::read_file(folder / "energy_now").empty();
    sensor.kind = has_energy ? EnergySensor::Kind::BatteryEnergy : EnergySensor::Kind::BatteryCharge;
    sensor.file = folder / (has_energy ? "energy_now" : "charge_now");
    source.sensors.push_back(sensor);
    names += compose("{}{}", names.empty() ? "" : ", ", name);
  });
  source.name = compose("battery ({}, of the whole machine)", names);
  if (on_mains && !source.sensors.empty()) {
    source.reason = compose("{}: the machine is plugged in", source.name);
    source.sensors.clear();
  }
  return source;
}

}  // namespace armature::tools
