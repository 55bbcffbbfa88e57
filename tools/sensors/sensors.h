#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "tools/sensors/clocks.h"
#include "tools/sensors/energy.h"
#include "tools/sensors/reading.h"
#include "tools/sensors/throttle.h"

namespace armature::tools {

/// What has been counted up to a moment. Energy is apart: see energy_meter.h.
struct Snapshot {
  std::vector<ThermalCount> thermal;
  std::optional<QuotaCounts> quota;
  std::optional<CpuTicks> ticks;
};

/// What was counted from one snapshot to another.
struct Difference {
  std::optional<ThermalEvents> thermal;
  std::optional<QuotaCounts> quota;
  std::optional<CpuTicks> ticks;
};
/// A counter that is missing on one side, or went back, has no difference.
Difference difference(const Snapshot& before, const Snapshot& after);

/// What does not count, but is.
struct State {
  Clocks clocks;
  std::optional<CoolingState> cooling;
  std::optional<Temperature> temperature;
};

/// How a test stands in for time and for the processor.
struct SensorProbes {
  std::function<nanoseconds()> now;       // since any fixed moment
  std::function<double()> measure_clock;  // MHz; where cpufreq does not tell
};
SensorProbes real_probes();

/// The sensors of a machine. Reading them changes nothing but the time; any thread may.
class Sensors {
 public:
  /// `root` stands for "/"; clocks and stolen time are those of `cpus`.
  Sensors(std::filesystem::path root, std::vector<std::size_t> cpus, SensorProbes probes = real_probes());

  const EnergySource& energy_source() const { return energy_source_; }
  EnergySample read_energy() const;
  Snapshot read() const;
  /// Without cpufreq this takes 2 ms.
  State read_state() const;

 private:
  std::filesystem::path root_;
  std::vector<std::size_t> cpus_;
  SensorProbes probes_;
  EnergySource energy_source_;
};

}  // namespace armature::tools
