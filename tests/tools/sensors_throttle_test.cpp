// What slows processors down, clocks and temperatures, by made-up files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gguf/compose.h"
#include "tests/support/machine_root.h"
#include "tools/sensors/clocks.h"
#include "tools/sensors/throttle.h"

namespace armature::tools {
namespace {

class SensorsThrottle : public testing::Test, protected test::MachineRoot {
 protected:
  void cpu(int n, const std::string& file, const std::string& text) const {
    write(compose("sys/devices/system/cpu/cpu{}/{}", n, file), text + "\n");
  }
  void events(int n, int core, int package) const {
    cpu(n, "thermal_throttle/core_throttle_count", std::to_string(core));
    cpu(n, "thermal_throttle/package_throttle_count", std::to_string(package));
  }
  void cgroup(const std::string& mount, const std::string& own) const {
    write("proc/self/mountinfo", mount);
    write("proc/self/cgroup", own);
  }
};

TEST_F(SensorsThrottle, EventsOfACoreOrPackageCountOnce) {
  // Two packages of two CPUs; those of the first share a core.
  for (int n = 0; n < 4; ++n) {
    cpu(n, "topology/physical_package_id", n < 2 ? "0" : "1");
    cpu(n, "topology/thread_siblings_list", n < 2 ? "0-1" : std::to_string(n));
    events(n, 10, 100);
  }
  const auto before = read_thermal_counts(root());
  events(0, 13, 107);
  events(1, 13, 107);
  events(2, 15, 102);
  events(3, 11, 101);
  const auto counted = events_between(before, read_thermal_counts(root()));
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->core, 3u + 5 + 1);
  EXPECT_EQ(counted->package, 7u + 2);
}

TEST_F(SensorsThrottle, WithoutTopologyEveryCpuIsACore) {
  events(0, 1, 1);
  events(1, 1, 1);
  const auto before = read_thermal_counts(root());
  events(0, 2, 4);
  events(1, 3, 4);
  const auto counted = events_between(before, read_thermal_counts(root()));
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->core, 3u);
  EXPECT_EQ(counted->package, 3u);
}

TEST_F(SensorsThrottle, NoEventsAreNotNoCounters) {
  EXPECT_FALSE(events_between(read_thermal_counts(root()), read_thermal_counts(root())));
  events(0, 4, 4);
  const auto before = read_thermal_counts(root());
  EXPECT_EQ(events_between(before, before)->core, 0u);
  EXPECT_FALSE(events_between({}, before));
  events(0, 3, 4);
  EXPECT_FALSE(events_between(before, read_thermal_counts(root()))) << "a counter went back";
  cpu(0, "thermal_throttle/core_throttle_count", "many");
  EXPECT_FALSE(events_between(before, read_thermal_counts(root())));
}

TEST_F(SensorsThrottle, CoolingOfProcessors) {
  EXPECT_FALSE(read_cooling(root()));
  const auto device = [&](int n, const std::string& type, const std::string& state) {
    const std::string folder = compose("sys/class/thermal/cooling_device{}/", n);
    write(folder + "type", type + "\n");
    write(folder + "cur_state", state + "\n");
    write(folder + "max_state", "10\n");
  };
  device(0, "pwm-fan", "9");
  EXPECT_FALSE(read_cooling(root()));
  device(1, "thermal-cpufreq-0", "2");
  device(2, "thermal-cpufreq-4", "3");
  device(3, "Processor", "none");
  const auto cooling = read_cooling(root());
  ASSERT_TRUE(cooling);
  EXPECT_EQ(cooling->state, 3u);
  EXPECT_EQ(cooling->most, 10u);
  EXPECT_EQ(cooling->type, "thermal-cpufreq-4");
}

TEST_F(SensorsThrottle, QuotaOfSecondVersion) {
  EXPECT_FALSE(read_quota_counts(root()));
  cgroup("30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", "0::/a/b\n");
  write("sys/fs/cgroup/cpu.stat", "usage_usec 5\n");
  EXPECT_FALSE(read_quota_counts(root())) << "the topmost cgroup has no quota";
  write("sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 250\n");
  write("sys/fs/cgroup/a/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 1\nthrottled_usec 50\n");
  const auto counts = read_quota_counts(root());
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->periods, 4u);
  EXPECT_EQ(counts->nanoseconds, 300000u);
}

TEST_F(SensorsThrottle, QuotaOfFirstVersion) {
  cgroup("31 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n", "1:cpu,cpuacct:/mine\n");
  write("sys/fs/cgroup/cpu/mine/cpu.stat", "nr_periods 90\nnr_throttled 7\nthrottled_time 123456789\n");
  const auto counts = read_quota_counts(root());
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->periods, 7u);
  EXPECT_EQ(counts->nanoseconds, 123456789u);
}

TEST_F(SensorsThrottle, StolenTimeOfTheCpusAskedFor) {
  EXPECT_FALSE(read_cpu_ticks(root(), {0}));
  write("proc/stat",
        "cpu  9 9 9 9 9 9 9 9 9 9\n"
        "cpu0 100 1 20 300 4 5 6 70 50 1\n"
        "cpu1 1 1 1 1 1 1 1 1 0 0\n"
        "cpu10 2 2 2 2 2 2 2 2 0 0\n"
        "intr 12\n");
  const auto both = read_cpu_ticks(root(), {0, 10});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->all, 506u + 16);
  EXPECT_EQ(both->stolen, 72u);
  EXPECT_EQ(read_cpu_ticks(root(), {7})->all, 72u) << "of all together";
}

TEST_F(SensorsThrottle, MalformedTimeOfCpus) {
  for (const char* text : {"", "cpu", "cpu 1 2 3", "cpu0 a b c d e f g h", "cpu 1 2 3 4 5 6 7 -8", "\xff"}) {
    write("proc/stat", text);
    EXPECT_FALSE(read_cpu_ticks(root(), {0})) << text;
  }
}

TEST_F(SensorsThrottle, ClocksOfTheCpusAskedFor) {
  EXPECT_FALSE(read_cpufreq(root(), {0, 1, 2}));
  cpu(0, "cpufreq/scaling_cur_freq", "2000000");
  cpu(0, "cpufreq/scaling_governor", "schedutil");
  cpu(1, "cpufreq/scaling_cur_freq", "3500500");
  cpu(1, "cpufreq/scaling_governor", "performance");
  cpu(2, "cpufreq/scaling_cur_freq", "<unknown>");
  cpu(3, "cpufreq/scaling_cur_freq", "9000000");
  const auto clocks = read_cpufreq(root(), {0, 1, 2});
  ASSERT_TRUE(clocks);
  EXPECT_EQ(clocks->min, 2000);
  EXPECT_EQ(clocks->max, 3500.5);
  EXPECT_EQ(clocks->mean, 2750.25);
  EXPECT_EQ(clocks->governor, "performance, schedutil");
  EXPECT_FALSE(read_cpufreq(root(), {2}));
}

TEST(SensorsClock, MeasuredOneIsThatOfAProcessor) {
  const double mhz = measure_clock_mhz();
  // Wide, since a sanitizer's or an emulator's processor does not run at the clock of a real one.
  EXPECT_GT(mhz, 1);
  EXPECT_LT(mhz, 20000);
}

TEST_F(SensorsThrottle, HottestProcessor) {
  EXPECT_FALSE(read_temperature(root()));
  write("sys/class/hwmon/hwmon0/name", "nvme\n");
  write("sys/class/hwmon/hwmon0/temp1_input", "65850\n");
  EXPECT_EQ(read_temperature(root())->sensor, "hwmon nvme");
  write("sys/class/hwmon/hwmon1/name", "coretemp\n");
  write("sys/class/hwmon/hwmon1/temp1_input", "45000\n");
  write("sys/class/hwmon/hwmon1/temp1_label", "Package id 0\n");
  write("sys/class/hwmon/hwmon1/temp2_input", "44000\n");
  write("sys/class/hwmon/hwmon1/temp3_input", "-273150\n");
  write("sys/class/thermal/thermal_zone0/type", "acpitz\n");
  write("sys/class/thermal/thermal_zone0/temp", "55000\n");
  const auto temperature = read_temperature(root());
  EXPECT_EQ(temperature->celsius, 45);
  EXPECT_EQ(temperature->sensor, "hwmon coretemp, Package id 0");
  write("sys/class/thermal/thermal_zone1/type", "cpu-thermal\n");
  write("sys/class/thermal/thermal_zone1/temp", "51500\n");
  EXPECT_EQ(read_temperature(root())->celsius, 51.5);
}

}  // namespace
}  // namespace armature::tools
