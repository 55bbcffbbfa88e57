#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "tools/sensors/sensors.h"

namespace armature::tools {

/// The energy from begin() to end(). Where a source must be read in between (a counter that wraps around,
/// power), a thread does that in periods of the source; it sleeps otherwise.
class EnergyMeter {
 public:
  /// `sensors` must outlive this.
  explicit EnergyMeter(const Sensors& sensors);
  ~EnergyMeter();
  EnergyMeter(const EnergyMeter&) = delete;
  EnergyMeter& operator=(const EnergyMeter&) = delete;

  /// Called once.
  void begin();
  /// Microjoules. Called once, after begin(). Throws what reading threw in between.
  Reading end();
  /// From begin() to end().
  nanoseconds time() const { return last_->time - first_; }

 private:
  void run();
  void add(EnergySample sample);
  void stop();

  const Sensors& sensors_;
  std::mutex mutex_;  // guards what follows, but for the thread
  std::optional<EnergySample> last_;
  nanoseconds first_{0};
  double sum_ = 0;
  std::string fault_;
  std::exception_ptr thrown_;
  bool ended_ = false;
  std::condition_variable ending_;
  std::thread thread_;
};

}  // namespace armature::tools
