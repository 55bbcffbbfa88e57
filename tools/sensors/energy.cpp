#include "tools/sensors/energy.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/machine_text.h"
#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools {

namespace fs = std::filesystem;
using Kind = EnergySensor::Kind;

namespace {

constexpr double kJoulesPerWattHour = 3600;

bool is_battery(const EnergySensor& sensor) {
  return sensor.kind == Kind::BatteryEnergy || sensor.kind == Kind::BatteryCharge;
}

std::string battery_status(const EnergySensor& sensor) {
  return std::string(machine::trimmed(machine::read_file(sensor.file.parent_path() / "status")));
}

/// Of several batteries one is used at a time: others may be full meanwhile, or idle.
bool is_discharging(const EnergySource& source) {
  bool one_is = false;
  for (const EnergySensor& sensor : source.sensors) {
    const std::string status = battery_status(sensor);
    if (status == "Charging") return false;
    one_is = one_is || status == "Discharging";
  }
  return one_is;
}

std::optional<EnergySample::Value> read_sensor(const EnergySensor& sensor) {
  EnergySample::Value value;
  const auto amount = machine::read_number<std::uint64_t>(sensor.file);
  if (!amount) return std::nullopt;
  value.amount = *amount;
  if (sensor.kind == Kind::BatteryCharge) {
    const auto voltage = machine::read_number<std::uint64_t>(sensor.file.parent_path() / "voltage_now");
    if (!voltage) return std::nullopt;
    value.microvolts = *voltage;
  }
  return value;
}

/// Why a sensor of the source gives nothing.
std::string fault(const EnergySource& source, const EnergySensor& sensor) {
  if (is_battery(sensor) && !is_discharging(source))
    return compose("not discharging (status of {}: {})", sensor.name, quote(battery_status(sensor)));
  if (::access(sensor.file.c_str(), R_OK) != 0 && errno == EACCES)
    return compose("{} is for root alone; as root, \"chmod a+r\" lets others read it until the next start",
                   sensor.file.string());
  return compose("{} holds no number: {}", sensor.file.string(), quote(machine::read_file(sensor.file)));
}

Reading none(std::string reason) { return {{}, std::move(reason)}; }

/// Microjoules by one counter.
Reading counted(const EnergySensor& sensor, std::uint64_t before, std::uint64_t after) {
  if (after >= before) return {static_cast<double>(after - before)};
  if (before > sensor.range)
    return none(compose("{} went back from {} to {} microjoules", sensor.name, before, after));
  return {static_cast<double>(sensor.range - before + after)};
}

Reading drained(const EnergySensor& sensor, const EnergySample::Value& before,
                const EnergySample::Value& after) {
  if (after.amount > before.amount) return none(compose("{} gained charge", sensor.name));
  const auto used = static_cast<double>(before.amount - after.amount);
  if (sensor.kind == Kind::BatteryEnergy) return {used * kJoulesPerWattHour};
  const double volts = (static_cast<double>(before.microvolts) + static_cast<double>(after.microvolts)) / 2e6;
  return {used * volts * kJoulesPerWattHour};
}

Reading energy_of(const EnergySensor& sensor, const EnergySample::Value& before,
                  const EnergySample::Value& after, nanoseconds time) {
  if (sensor.kind == Kind::Energy) return counted(sensor, before.amount, after.amount);
  if (is_battery(sensor)) return drained(sensor, before, after);
  const double seconds = std::chrono::duration<double>(time).count();
  return {(static_cast<double>(before.amount) + static_cast<double>(after.amount)) / 2 * seconds};
}

/// The source, without its sensors if one of them cannot be read.
EnergySource tried_out(EnergySource source) {
  const EnergySample sample = read_energy(source, nanoseconds(0));
  const auto missing = std::find(sample.values.begin(), sample.values.end(), std::nullopt);
  if (missing == sample.values.end()) return source;
  const auto i = static_cast<std::size_t>(missing - sample.values.begin());
  source.reason = compose("{}: {}", source.name, fault(source, source.sensors[i]));
  source.sensors.clear();
  return source;
}

}  // namespace

EnergySource find_energy_source(const fs::path& root) {
  std::string reasons;
  for (const auto find : {find_rapl, find_hwmon_energy, find_hwmon_power, find_batteries}) {
    EnergySource source = tried_out(find(root));
    if (!source.sensors.empty()) return source;
    if (!source.reason.empty()) reasons += compose("{}{}", reasons.empty() ? "" : "; ", source.reason);
  }
  EnergySource nothing;
  nothing.reason = reasons.empty()
                       ? "no RAPL, hwmon or battery counter in /sys (a virtual machine rarely has one)"
                       : reasons;
  return nothing;
}

EnergySample read_energy(const EnergySource& source, nanoseconds now) {
  EnergySample sample{now, {}};
  sample.values.resize(source.sensors.size());
  if (!source.sensors.empty() && is_battery(source.sensors.front()) && !is_discharging(source)) return sample;
  std::transform(source.sensors.begin(), source.sensors.end(), sample.values.begin(), read_sensor);
  return sample;
}

Reading microjoules_between(const EnergySource& source, const EnergySample& before,
                            const EnergySample& after) {
  if (source.sensors.empty()) return none(source.reason);
  const nanoseconds time = after.time - before.time;
  if (source.longest_gap.count() > 0 && time > source.longest_gap)
    return none(compose("{}: {} s between two readings, at most {} s are allowed", source.name,
                        std::chrono::duration<double>(time).count(),
                        std::chrono::duration<double>(source.longest_gap).count()));
  double sum = 0;
  for (std::size_t i = 0; i < source.sensors.size(); ++i) {
    const EnergySensor& sensor = source.sensors[i];
    if (!before.values.at(i) || !after.values.at(i))
      return none(compose("{}: {}", source.name,
                          is_battery(sensor) ? "it did not discharge all the time"
                                             : compose("{} could not be read", sensor.file.string())));
    const Reading energy = energy_of(sensor, *before.values[i], *after.values[i], time);
    if (!energy.value) return none(compose("{}: {}", source.name, energy.reason));
    sum += *energy.value;
  }
  return {sum, {}, source.name};
}

}  // namespace armature::tools
