#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/sensors/reading.h"

/// Energy that the processors use, by the counters and meters that Linux shows in /sys.
namespace armature::tools {

using std::chrono::nanoseconds;

/// A file that shows energy, power or what is left in a battery.
struct EnergySensor {
  enum class Kind : std::uint8_t {
    Energy,         // microjoules, counting up
    Power,          // microwatts
    BatteryEnergy,  // microwatt-hours left
    BatteryCharge   // microampere-hours left
  };
  Kind kind = Kind::Energy;
  std::string name;  // "package-0", "BAT0"
  std::filesystem::path file;
  std::uint64_t range = 0;  // of Energy: the value after which it begins at 0 again; 0: it does not
};

/// Sensors whose sum is the energy, none of it twice.
struct EnergySource {
  std::string name;                   // "RAPL (package-0, package-0 dram)"
  std::vector<EnergySensor> sensors;  // none where there are none, or one of them cannot be used
  std::string reason;                 // why there are no sensors; empty where nothing was found

  nanoseconds period{0};       // to be read at least so often in between; 0: both ends do
  nanoseconds longest_gap{0};  // between two samples, beyond which nothing can be said; 0: any
  nanoseconds shortest{0};     // that can be measured
  double least_joules = 0;     // that can be measured
};

/// What the sensors of a source showed at one moment.
struct EnergySample {
  struct Value {
    std::uint64_t amount = 0;      // in the unit of the sensor's kind
    std::uint64_t microvolts = 0;  // of BatteryCharge
  };
  nanoseconds time{0};
  std::vector<std::optional<Value>> values;  // of each sensor; none where it could not be read
};

/// The best that there is below `root`, which stands for "/": RAPL, energy by hwmon, power by hwmon, then
/// batteries while they discharge. Without sensors, `reason` says what was found and what would help.
EnergySource find_energy_source(const std::filesystem::path& root);

EnergySample read_energy(const EnergySource& source, nanoseconds now);

/// Microjoules between two samples in turn. Energy counters may have wrapped around once; power is taken to
/// go in a straight line from one value to the other, as is the voltage of a battery.
Reading microjoules_between(const EnergySource& source, const EnergySample& before,
                            const EnergySample& after);

// One file each. Sensors are not tried out here.
EnergySource find_rapl(const std::filesystem::path& root);
EnergySource find_hwmon_energy(const std::filesystem::path& root);
EnergySource find_hwmon_power(const std::filesystem::path& root);
EnergySource find_batteries(const std::filesystem::path& root);

}  // namespace armature::tools
