#include "tools/sensors/energy_meter.h"

#include <system_error>
#include <utility>

namespace armature::tools {

EnergyMeter::EnergyMeter(const Sensors& sensors) : sensors_(sensors) {
  if (sensors.energy_source().period.count() == 0) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // no thread to be had: a long gap between both ends is seen
  }
}

EnergyMeter::~EnergyMeter() { stop(); }

void EnergyMeter::begin() {
  const std::lock_guard lock(mutex_);
  last_ = sensors_.read_energy();
  first_ = last_->time;
}

Reading EnergyMeter::end() {
  {
    const std::lock_guard lock(mutex_);
    add(sensors_.read_energy());
    ended_ = true;
  }
  stop();
  if (thrown_) std::rethrow_exception(thrown_);
  if (!fault_.empty()) return {{}, fault_};
  return {sum_, {}, sensors_.energy_source().name};
}

void EnergyMeter::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_one();
  thread_.join();
}

void EnergyMeter::run() {
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, sensors_.energy_source().period, [this] { return ended_; })) {
    try {
      if (last_) add(sensors_.read_energy());
    } catch (...) {
      thrown_ = std::current_exception();
      return;
    }
  }
}

void EnergyMeter::add(EnergySample sample) {
  const Reading energy = microjoules_between(sensors_.energy_source(), *last_, sample);
  if (energy.value) {
    sum_ += *energy.value;
  } else if (fault_.empty()) {
    fault_ = energy.reason;
  }
  last_ = std::move(sample);
}

}  // namespace armature::tools
