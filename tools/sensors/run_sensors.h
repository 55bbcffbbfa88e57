#pragma once

#include <optional>
#include <string>

#include "tools/sensors/energy_meter.h"
#include "tools/sensors/sensors.h"

namespace armature::tools {

/// What the sensors said of a run that consists of repetitions: counters of all of them together, states
/// before the first and after the last.
struct Observations {
  Reading joules = {{}, "energy counters are not read"};

  Reading thermal_events = {{}, "throttle counters are not read"};
  ThermalEvents events = {};  // their parts
  Reading quota_periods = {{}, "throttle counters are not read"};
  double quota_seconds = 0;
  Reading steal_share = {{}, "the time of CPUs is not read"};  // 0 to 1

  Reading clock_mhz = {{}, "clocks are not read"};  // the mean of the CPUs after the run
  Clocks clocks_before = {}, clocks_after = {};
  Reading celsius = {{}, "temperatures are not read"};  // after the run
  std::optional<double> celsius_before = {};
  Reading cooling_state = {{}, "cooling devices are not read"};  // after the run
  std::uint64_t cooling_before = 0, cooling_most = 0;
};

/// Reads the sensors of a run. Nothing is read between before_repetition() and after_repetition(), but by
/// EnergyMeter.
class RunSensors {
 public:
  /// `sensors` must outlive this.
  explicit RunSensors(const Sensors& sensors) : sensors_(sensors) {}

  void before_repetition();
  void after_repetition();
  Observations observations() const;

 private:
  void add_counts(const Difference& counted);
  void add_energy(const Reading& microjoules, nanoseconds time);
  Reading joules() const;

  const Sensors& sensors_;
  std::size_t n_repetitions_ = 0;
  State first_, last_;
  Snapshot before_;
  std::optional<EnergyMeter> meter_;
  // Sums over repetitions; nothing as soon as one of them has none.
  std::optional<ThermalEvents> events_ = ThermalEvents{};
  std::optional<QuotaCounts> quota_ = QuotaCounts{};
  std::optional<CpuTicks> ticks_ = CpuTicks{};
  double microjoules_ = 0;
  std::string energy_fault_;
  nanoseconds time_{0};
};

}  // namespace armature::tools
