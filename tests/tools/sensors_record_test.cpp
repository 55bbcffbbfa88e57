// What records of bench say of made-up sensors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gguf/compose.h"
#include "tests/support/machine_root.h"
#include "tools/bench/record.h"
#include "tools/sensors/run_sensors.h"

namespace armature::tools::bench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Json = nlohmann::json;

/// A machine whose counters move with the work that it does: 2 J and 0.5 s for a prompt, 0.25 J and 0.1 s for
/// a token. A depth that is filled costs 1000 J and an event of each kind.
class MachineAtWork : public testing::Test, public Work, protected test::MachineRoot {
 public:
  bool begin(std::size_t, std::size_t) override {
    spend(1000000000, 3s);
    ++core_events_;
    return put();
  }
  bool process_prompt(std::size_t) override {
    const std::uint64_t before = package_;
    spend(2000000, 500ms);
    n_wraps_ += package_ < before ? 1 : 0;
    package_events_ += 2;
    throttled_us_ += 1500;
    return put();
  }
  bool generate_token() override {
    spend(250000, 100ms);
    ++stolen_;
    celsius_ += 1;
    return put();
  }

 protected:
  MachineAtWork() { write("proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"); }

  void spend(std::uint64_t microjoules, nanoseconds time) {
    package_ = (package_ + microjoules) % kRange;
    now_ += time;
    busy_ += static_cast<std::uint64_t>(time / 10ms);
  }
  bool put() const {
    if (!has_sensors_) return true;
    write("sys/class/powercap/intel-rapl:0/name", "package-0");
    write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", std::to_string(kRange));
    write("sys/class/powercap/intel-rapl:0/energy_uj", std::to_string(package_));
    const std::string cpu = "sys/devices/system/cpu/cpu0/";
    write(cpu + "thermal_throttle/core_throttle_count", std::to_string(core_events_));
    write(cpu + "thermal_throttle/package_throttle_count", std::to_string(package_events_));
    write(cpu + "cpufreq/scaling_cur_freq", "2500000");
    write(cpu + "cpufreq/scaling_governor", "performance");
    write("sys/class/thermal/thermal_zone0/type", "cpu-thermal");
    write("sys/class/thermal/thermal_zone0/temp", compose("{}000", celsius_));
    write("sys/class/thermal/cooling_device0/type", "thermal-cpufreq-0");
    write("sys/class/thermal/cooling_device0/cur_state", celsius_ > 42 ? "1" : "0");
    write("sys/class/thermal/cooling_device0/max_state", "7");
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/cpu.stat",
          compose("nr_throttled {}\nthrottled_usec {}\n", package_events_, throttled_us_));
    write("proc/stat", compose("cpu0 {} 0 0 0 0 0 0 {} 0 0\n", busy_, stolen_));
    return true;
  }

  /// The object "x" of three repetitions of a prompt of 8 and two tokens.
  Json run() {
    put();
    const Sensors sensors(root(), {0}, {[this] { return now_; }, [] { return 1234.5; }});
    RunSensors observer(sensors);
    Record record;
    record.test.n_prompt = 8;
    record.test.n_gen = 2;
    record.repetitions =
        *measure(*this, {.n_prompt = 8, .n_gen = 2, .n_depth = 4, .repetitions = 3}, [this] { return now_; },
                 {}, {[&] { observer.before_repetition(); }, [&] { observer.after_repetition(); }});
    record.details.sensors = observer.observations();
    return Json::parse(details_json(record, -1));
  }

  static constexpr std::uint64_t kRange = 2100000000;  // microjoules
  bool has_sensors_ = true;
  nanoseconds now_{5s};
  std::uint64_t package_ = 1194250000, busy_ = 0, stolen_ = 0, throttled_us_ = 0;
  int n_wraps_ = 0, core_events_ = 0, package_events_ = 0, celsius_ = 40;
};

TEST_F(MachineAtWork, EveryValueIsExact) {
  const Json x = run();
  // Of each repetition 2 J and twice 0.25 J; of 30 tokens in all.
  EXPECT_EQ(x["joules_per_token"],
            Json({{"value", 7.5 / 30}, {"source", "RAPL (package-0)"}, {"joules", 7.5}}));
  EXPECT_EQ(x["throttled"],
            Json({{"value", 6.0}, {"source", "thermal_throttle"}, {"core", 0}, {"package", 6}}));
  EXPECT_EQ(x["quota_throttled"],
            Json({{"value", 6.0}, {"source", "cpu.stat of the cgroups"}, {"seconds", 0.0045}}));
  EXPECT_EQ(x["steal"], Json({{"value", 6.0 / (3 * 70 + 6)}, {"source", "/proc/stat"}}));
  const Json clock = {{"min", 2500.0}, {"mean", 2500.0}, {"max", 2500.0}};
  EXPECT_EQ(x["clock_mhz"], Json({{"value", 2500.0},
                                  {"source", "cpufreq, scaling_cur_freq"},
                                  {"before", clock},
                                  {"after", clock},
                                  {"governor", "performance"}}));
  // The warm-up has a token too.
  EXPECT_EQ(x["temperature_c"],
            Json({{"value", 47.0}, {"source", "thermal zone cpu-thermal"}, {"before", 41.0}}));
  EXPECT_EQ(x["cooling"],
            Json({{"value", 1.0}, {"source", "thermal-cpufreq-0"}, {"before", 0}, {"most", 7}}));
}

TEST_F(MachineAtWork, WithoutSensorsEverythingHasAReason) {
  has_sensors_ = false;
  const Json x = run();
  for (const char* key :
       {"joules_per_token", "throttled", "quota_throttled", "steal", "temperature_c", "cooling"}) {
    EXPECT_EQ(x[key].size(), 2u) << key;
    EXPECT_TRUE(x[key]["value"].is_null()) << key;
    EXPECT_GT(x[key]["reason"].get<std::string>().size(), 10u) << key;
  }
  EXPECT_EQ(x["clock_mhz"]["value"], 1234.5);
  EXPECT_EQ(x["clock_mhz"]["source"], kMeasuredClock);
  EXPECT_FALSE(x["clock_mhz"].contains("governor"));
}

TEST_F(MachineAtWork, NothingIsTakenForASensorOfGarbage) {
  for (const char* garbage :
       {"", "\n", "-1", "x", "18446744073709551616", "1e9", "0x10", "\xff\xfe", "7 7"}) {
    has_sensors_ = true;
    put();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root()))
      if (entry.is_regular_file()) write(entry.path().lexically_relative(root()), garbage);
    has_sensors_ = false;
    const Json x = run();
    for (const char* key :
         {"joules_per_token", "throttled", "quota_throttled", "steal", "temperature_c", "cooling"})
      EXPECT_TRUE(x[key]["value"].is_null()) << key << garbage;
    EXPECT_EQ(x["clock_mhz"]["source"], kMeasuredClock) << garbage;
  }
}

TEST_F(MachineAtWork, CounterThatIsLostInTheMiddle) {
  put();
  const Sensors sensors(root(), {0}, {[this] { return now_; }, [] { return 1.0; }});
  RunSensors observer(sensors);
  observer.before_repetition();
  process_prompt(8);
  observer.after_repetition();
  observer.before_repetition();
  process_prompt(8);
  for (const char* folder : {"sys", "proc"}) std::filesystem::remove_all(root() / folder);
  observer.after_repetition();
  const Observations seen = observer.observations();
  EXPECT_THAT(seen.joules.reason, HasSubstr("energy_uj could not be read"));
  for (const Reading& reading : {seen.thermal_events, seen.quota_periods, seen.steal_share, seen.celsius}) {
    EXPECT_FALSE(reading.value);
    EXPECT_NE(reading.reason, "");
  }
}

TEST_F(MachineAtWork, TooShortForTheSource) {
  put();
  const auto observe = [&](std::uint64_t microjoules, nanoseconds time) {
    const Sensors sensors(root(), {0}, {[this] { return now_; }, [] { return 1.0; }});
    RunSensors observer(sensors);
    observer.before_repetition();
    spend(microjoules, time);
    put();
    observer.after_repetition();
    return observer.observations();
  };
  EXPECT_THAT(observe(1000, 10ms).joules.reason, HasSubstr("it can measure 0.02 s or more"));
  EXPECT_EQ(observe(1000, 20ms).joules.value, 0.001);
  EXPECT_THAT(observe(0, 1s).joules.reason, HasSubstr("did not move"));
  EXPECT_THAT(observe(1000, 1ms).steal_share.reason, HasSubstr("shorter than the ticks"));
}

TEST_F(MachineAtWork, BatteryIsTooCoarseForAShortRun) {
  has_sensors_ = false;
  const std::string battery = "sys/class/power_supply/BAT0/";
  write(battery + "type", "Battery\n");
  write(battery + "status", "Discharging\n");
  const auto joules = [&](int milliwatt_hours) {
    write(battery + "energy_now", "50000000\n");
    const Sensors sensors(root(), {0}, {[this] { return now_; }, [] { return 1.0; }});
    RunSensors observer(sensors);
    observer.before_repetition();
    now_ += 60s;
    write(battery + "energy_now", std::to_string(50000000 - 1000 * milliwatt_hours));
    observer.after_repetition();
    return observer.observations().joules;
  };
  EXPECT_THAT(joules(90).reason, HasSubstr("a repetition takes 324 J, it can measure 360 J or more"));
  EXPECT_EQ(joules(100).value, 360);
}

}  // namespace
}  // namespace armature::tools::bench
