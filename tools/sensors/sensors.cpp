#include "tools/sensors/sensors.h"

#include <utility>

namespace armature::tools {
namespace {

std::optional<QuotaCounts> difference(const std::optional<QuotaCounts>& before,
                                      const std::optional<QuotaCounts>& after) {
  if (!before || !after || after->periods < before->periods || after->nanoseconds < before->nanoseconds)
    return std::nullopt;
  return QuotaCounts{after->periods - before->periods, after->nanoseconds - before->nanoseconds};
}

std::optional<CpuTicks> difference(const std::optional<CpuTicks>& before,
                                   const std::optional<CpuTicks>& after) {
  if (!before || !after || after->all < before->all || after->stolen < before->stolen) return std::nullopt;
  return CpuTicks{after->all - before->all, after->stolen - before->stolen};
}

Clocks measured(double mhz) { return {mhz, mhz, mhz, {}, kMeasuredClock}; }

}  // namespace

Difference difference(const Snapshot& before, const Snapshot& after) {
  return {events_between(before.thermal, after.thermal), difference(before.quota, after.quota),
          difference(before.ticks, after.ticks)};
}

SensorProbes real_probes() {
  return {[] { return nanoseconds(std::chrono::steady_clock::now().time_since_epoch()); }, measure_clock_mhz};
}

Sensors::Sensors(std::filesystem::path root, std::vector<std::size_t> cpus, SensorProbes probes)
    : root_(std::move(root)),
      cpus_(std::move(cpus)),
      probes_(std::move(probes)),
      energy_source_(find_energy_source(root_)) {}

EnergySample Sensors::read_energy() const { return tools::read_energy(energy_source_, probes_.now()); }

Snapshot Sensors::read() const {
  return {read_thermal_counts(root_), read_quota_counts(root_), read_cpu_ticks(root_, cpus_)};
}

State Sensors::read_state() const {
  const auto shown = read_cpufreq(root_, cpus_);
  return {shown ? *shown : measured(probes_.measure_clock()), read_cooling(root_), read_temperature(root_)};
}

}  // namespace armature::tools
