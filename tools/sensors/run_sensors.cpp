#include "tools/sensors/run_sensors.h"

#include "gguf/compose.h"

namespace armature::tools {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kMicro = 1e6, kNanosecondsPerSecond = 1e9;

Reading known(double value, std::string source = {}) { return {value, {}, std::move(source)}; }
Reading unknown(std::string reason) { return {{}, std::move(reason)}; }

Reading steal_share(const std::optional<CpuTicks>& ticks) {
  if (!ticks) return unknown("no time of CPUs in /proc/stat");
  if (ticks->all == 0) return unknown("the run is shorter than the ticks in which /proc/stat counts");
  return known(static_cast<double>(ticks->stolen) / static_cast<double>(ticks->all), "/proc/stat");
}

void report_throttling(const std::optional<ThermalEvents>& events, const std::optional<QuotaCounts>& quota,
                       Observations& out) {
  if (events) {
    out.events = *events;
    out.thermal_events = known(static_cast<double>(events->core + events->package), "thermal_throttle");
  } else {
    out.thermal_events = unknown(
        "no thermal_throttle in /sys/devices/system/cpu (Intel processors have it, virtual machines do not)");
  }
  if (quota) {
    out.quota_periods = known(static_cast<double>(quota->periods), "cpu.stat of the cgroups");
    out.quota_seconds = static_cast<double>(quota->nanoseconds) / kNanosecondsPerSecond;
  } else {
    out.quota_periods = unknown("no cgroup of the process counts throttling in cpu.stat");
  }
}

void report_states(const State& first, const State& last, Observations& out) {
  out.clock_mhz = known(last.clocks.mean, last.clocks.source);
  out.clocks_before = first.clocks;
  out.clocks_after = last.clocks;
  if (last.temperature) {
    out.celsius = known(last.temperature->celsius, last.temperature->sensor);
    if (first.temperature) out.celsius_before = first.temperature->celsius;
  } else {
    out.celsius = unknown("no temperature in /sys/class/hwmon or /sys/class/thermal");
  }
  if (first.cooling && last.cooling) {
    out.cooling_state = known(static_cast<double>(last.cooling->state), last.cooling->type);
    out.cooling_before = first.cooling->state;
    out.cooling_most = last.cooling->most;
  } else {
    out.cooling_state = unknown("no cooling device of processors in /sys/class/thermal");
  }
}

}  // namespace

void RunSensors::before_repetition() {
  if (n_repetitions_ == 0) first_ = sensors_.read_state();
  before_ = sensors_.read();
  meter_.emplace(sensors_);
  meter_->begin();
}

void RunSensors::after_repetition() {
  const Reading energy = meter_->end();
  add_counts(difference(before_, sensors_.read()));
  add_energy(energy, meter_->time());
  last_ = sensors_.read_state();
  meter_.reset();
  ++n_repetitions_;
}

void RunSensors::add_counts(const Difference& counted) {
  if (!counted.thermal) events_.reset();
  if (!counted.quota) quota_.reset();
  if (!counted.ticks) ticks_.reset();
  if (events_) {
    events_->core += counted.thermal->core;
    events_->package += counted.thermal->package;
  }
  if (quota_) {
    quota_->periods += counted.quota->periods;
    quota_->nanoseconds += counted.quota->nanoseconds;
  }
  if (ticks_) {
    ticks_->all += counted.ticks->all;
    ticks_->stolen += counted.ticks->stolen;
  }
}

void RunSensors::add_energy(const Reading& microjoules, nanoseconds time) {
  time_ += time;
  if (microjoules.value) {
    microjoules_ += *microjoules.value;
  } else if (energy_fault_.empty()) {
    energy_fault_ = microjoules.reason;
  }
}

Reading RunSensors::joules() const {
  const EnergySource& source = sensors_.energy_source();
  if (!energy_fault_.empty()) return unknown(energy_fault_);
  const auto n = static_cast<double>(n_repetitions_);
  const double seconds = Seconds(time_).count() / n, joules = microjoules_ / kMicro / n;
  if (seconds < Seconds(source.shortest).count())
    return unknown(compose("{}: a repetition takes {} s, it can measure {} s or more", source.name, seconds,
                           Seconds(source.shortest).count()));
  if (joules < source.least_joules)
    return unknown(compose("{}: a repetition takes {} J, it can measure {} J or more", source.name, joules,
                           source.least_joules));
  if (microjoules_ == 0) return unknown(compose("{}: it did not move", source.name));
  return known(microjoules_ / kMicro, source.name);
}

Observations RunSensors::observations() const {
  Observations out;
  if (n_repetitions_ == 0) return out;
  out.joules = joules();
  report_throttling(events_, quota_, out);
  out.steal_share = steal_share(ticks_);
  report_states(first_, last_, out);
  return out;
}

}  // namespace armature::tools
