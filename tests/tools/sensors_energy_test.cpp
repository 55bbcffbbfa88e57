// Energy by made-up counters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine_root.h"
#include "tools/sensors/energy_meter.h"

namespace armature::tools {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPowercap = "sys/class/powercap/";
constexpr std::uint64_t kRange = 262143328850;  // of Intel's packages: 2^32 - 1 units of 61 microjoules

class SensorsEnergy : public testing::Test, protected test::MachineRoot {
 protected:
  void domain(const std::string& folder, const std::string& name, std::uint64_t microjoules,
              std::uint64_t range = kRange) const {
    write(kPowercap + folder + "/name", name + "\n");
    write(kPowercap + folder + "/max_energy_range_uj", std::to_string(range) + "\n");
    count(folder, microjoules);
  }
  void count(const std::string& folder, std::uint64_t microjoules) const {
    write(kPowercap + folder + "/energy_uj", std::to_string(microjoules) + "\n");
  }
  void hwmon(int n, const std::string& chip, const std::string& channel, const std::string& label,
             const std::string& value, const std::string& item = "_input") const {
    const std::string folder = "sys/class/hwmon/hwmon" + std::to_string(n) + "/";
    write(folder + "name", chip + "\n");
    if (!label.empty()) write(folder + channel + "_label", label + "\n");
    write(folder + channel + item, value + "\n");
  }
  void battery(const std::string& name, const std::string& file, const std::string& value) const {
    write("sys/class/power_supply/" + name + "/" + file, value + "\n");
  }

  EnergySample sample(nanoseconds time = 0s) const { return read_energy(source(), time); }
  EnergySource source() const { return find_energy_source(root()); }
};

TEST_F(SensorsEnergy, NothingThere) {
  EXPECT_TRUE(source().sensors.empty());
  EXPECT_EQ(source().reason, "no RAPL, hwmon or battery counter in /sys (a virtual machine rarely has one)");
  const Reading energy = microjoules_between(source(), sample(0s), sample(1s));
  EXPECT_FALSE(energy.value);
  EXPECT_EQ(energy.reason, source().reason);
}

TEST_F(SensorsEnergy, PackagesAndMemoryOnce) {
  domain("intel-rapl:0", "package-0", kRange - 1000000);  // wraps around
  domain("intel-rapl:0:0", "core", 5);
  domain("intel-rapl:0:1", "dram", 500, 65712999613);
  domain("intel-rapl:1", "package-1", 1000);
  domain("intel-rapl:2", "psys", 7);
  domain("intel-rapl-mmio:0", "package-0", 3);
  domain("intel-rapl-mmio:0:0", "dram", 3);
  const EnergySource rapl = source();
  EXPECT_EQ(rapl.name, "RAPL (package-0, package-0 dram, package-1)");
  const EnergySample before = read_energy(rapl, 10s);
  count("intel-rapl:0", 2500000);
  count("intel-rapl:0:0", 900000000);
  count("intel-rapl:0:1", 250500);
  count("intel-rapl:1", 4001000);
  count("intel-rapl:2", 900000000);
  count("intel-rapl-mmio:0", 900000000);
  count("intel-rapl-mmio:0:0", 900000000);
  const Reading energy = microjoules_between(rapl, before, read_energy(rapl, 20s));
  EXPECT_EQ(energy.value, 3500000 + 250000 + 4000000);
  EXPECT_EQ(energy.source, rapl.name);
}

TEST_F(SensorsEnergy, CountersOfMemoryMappedRegistersAlone) {
  domain("intel-rapl-mmio:0", "package-0", 3);
  const EnergySample before = sample(0s);
  count("intel-rapl-mmio:0", 10);
  EXPECT_EQ(microjoules_between(source(), before, sample(1s)).value, 7);
}

TEST_F(SensorsEnergy, UnreadableCounterHasPathAndReason) {
  domain("intel-rapl:0", "package-0", 1);
  domain("intel-rapl:1", "package-1", 1);
  std::filesystem::remove(root() / kPowercap / "intel-rapl:1/energy_uj");
  std::filesystem::create_directory(root() / kPowercap / "intel-rapl:1/energy_uj");
  EXPECT_TRUE(source().sensors.empty()) << "half of the packages is not the energy";
  EXPECT_THAT(source().reason, AllOf(HasSubstr("RAPL (package-0, package-1): "),
                                     HasSubstr("intel-rapl:1/energy_uj holds no number")));
  for (const char* text : {"", "text", "-1", "99999999999999999999999", "1 2", "\xff\x01"}) {
    std::filesystem::remove(root() / kPowercap / "intel-rapl:1/energy_uj");
    write(std::string(kPowercap) + "intel-rapl:1/energy_uj", text);
    EXPECT_THAT(source().reason, HasSubstr("holds no number")) << text;
  }
}

TEST_F(SensorsEnergy, CounterForRootAlone) {
  domain("intel-rapl:0", "package-0", 1);
  const auto file = root() / kPowercap / "intel-rapl:0/energy_uj";
  std::filesystem::permissions(file, std::filesystem::perms::none);
  if (!source().sensors.empty()) GTEST_SKIP() << "root reads every file";
  EXPECT_THAT(source().reason, AllOf(HasSubstr(file.string()), HasSubstr("root"), HasSubstr("chmod a+r")));
}

TEST_F(SensorsEnergy, CounterThatGoesAway) {
  domain("intel-rapl:0", "package-0", 1);
  const EnergySource rapl = source();
  const EnergySample before = read_energy(rapl, 0s);
  std::filesystem::remove(root() / kPowercap / "intel-rapl:0/energy_uj");
  EXPECT_THAT(microjoules_between(rapl, before, read_energy(rapl, 1s)).reason,
              HasSubstr("energy_uj could not be read"));
}

TEST_F(SensorsEnergy, RangeThatIsNone) {
  domain("intel-rapl:0", "package-0", 500, 100);
  EnergySample before = sample(0s);
  count("intel-rapl:0", 400);
  EXPECT_THAT(microjoules_between(source(), before, sample(1s)).reason,
              HasSubstr("package-0 went back from 500 to 400"));
  write(std::string(kPowercap) + "intel-rapl:0/max_energy_range_uj", "none\n");
  before = sample(0s);
  count("intel-rapl:0", 450);
  EXPECT_EQ(microjoules_between(source(), before, sample(1s)).value, 50);
}

TEST_F(SensorsEnergy, MoreThanOneWrapMayHideInALongGap) {
  domain("intel-rapl:0", "package-0", 500);
  EXPECT_TRUE(microjoules_between(source(), sample(0s), sample(60s)).value);
  EXPECT_THAT(microjoules_between(source(), sample(0s), sample(61s)).reason,
              HasSubstr("61 s between two readings, at most 60 s"));
}

TEST_F(SensorsEnergy, SocketsOfHwmonElseTheirCores) {
  hwmon(0, "nvme", "energy1", "", "5");
  EXPECT_THAT(source().reason, HasSubstr("the energy of 'nvme', not known to be that of processors"));
  hwmon(3, "amd_energy", "energy1", "Ecore000", "100");
  hwmon(3, "amd_energy", "energy2", "Ecore001", "200");
  EXPECT_EQ(source().name, "hwmon amd_energy (Ecore000, Ecore001)");
  hwmon(3, "amd_energy", "energy3", "Esocket0", "1000");
  hwmon(3, "amd_energy", "energy10", "Esocket1", "2000");
  EXPECT_EQ(source().name, "hwmon amd_energy (Esocket0, Esocket1)");
  const EnergySample before = sample(0s);
  hwmon(3, "amd_energy", "energy3", "Esocket0", "1500000");
  hwmon(3, "amd_energy", "energy10", "Esocket1", "2502000");
  EXPECT_EQ(microjoules_between(source(), before, sample(1s)).value, 1499000 + 2500000);
}

TEST_F(SensorsEnergy, UnreadableRaplLeavesRoomForOthers) {
  domain("intel-rapl:0", "package-0", 1);
  write(std::string(kPowercap) + "intel-rapl:0/energy_uj", "");
  hwmon(0, "amd_energy", "energy1", "Esocket0", "1000");
  EXPECT_EQ(source().name, "hwmon amd_energy (Esocket0)");
}

TEST_F(SensorsEnergy, ArmBoards) {
  hwmon(0, "scpi_sensors", "energy1", "BIG", "10");
  hwmon(0, "scpi_sensors", "energy2", "LITTLE", "20");
  hwmon(0, "scpi_sensors", "energy3", "GPU", "30");
  EXPECT_EQ(source().name, "hwmon scpi_sensors (BIG, LITTLE)");
}

TEST_F(SensorsEnergy, PowerOfOneSocketIsCountedOnce) {
  const auto meter = [&](int n, const std::string& what) {
    const std::string folder = "sys/class/hwmon/hwmon" + std::to_string(n) + "/device/";
    write(folder + "name", "power_meter\n");
    write(folder + "power1_oem_info", what + "\n");
    write(folder + "power1_average", "100000000\n");
    write(folder + "power1_average_interval", "50\n");
  };
  meter(1, "Module Power Socket 0");
  meter(2, "Grace Power Socket 0");
  meter(3, "CPU Power Socket 0");
  meter(4, "SysIO Power Socket 0");
  EXPECT_EQ(source().name, "hwmon power_meter (Grace Power Socket 0)");
  EXPECT_EQ(source().period, 100ms);
  EXPECT_EQ(source().shortest, 1s);
}

TEST_F(SensorsEnergy, PowerIsIntegrated) {
  hwmon(0, "power_meter", "power1", "", "100000000", "_average");
  hwmon(0, "power_meter", "power1", "", "7", "_input");
  write("sys/class/hwmon/hwmon0/power1_average_interval", "1000\n");
  EXPECT_EQ(source().shortest, 10s) << "ten values that are new";
  const EnergySample before = sample(0s);
  hwmon(0, "power_meter", "power1", "", "140000000", "_average");
  EXPECT_EQ(microjoules_between(source(), before, sample(500ms)).value, 60000000);
  EXPECT_THAT(microjoules_between(source(), before, sample(2s)).reason,
              HasSubstr("2 s between two readings"));
}

TEST_F(SensorsEnergy, BatteryByEnergy) {
  battery("BAT0", "type", "Battery");
  battery("BAT0", "status", "Discharging");
  battery("BAT0", "energy_now", "50000000");
  battery("mouse", "type", "Battery");
  battery("mouse", "scope", "Device");
  battery("mouse", "energy_now", "1");
  battery("AC", "type", "Mains");
  battery("AC", "online", "0");
  EXPECT_EQ(source().name, "battery (BAT0, of the whole machine)");
  const EnergySample before = sample(0s);
  battery("BAT0", "energy_now", "49000000");  // 1 Wh less
  EXPECT_EQ(microjoules_between(source(), before, sample(1s)).value, 3600e6);
}

TEST_F(SensorsEnergy, BatteryByCharge) {
  battery("BAT1", "type", "Battery");
  battery("BAT1", "status", "Discharging");
  battery("BAT1", "charge_now", "4000000");
  EXPECT_THAT(source().reason, HasSubstr("BAT1")) << "no voltage";
  battery("BAT1", "voltage_now", "12000000");
  const EnergySample before = sample(0s);
  battery("BAT1", "charge_now", "3900000");  // 0.1 Ah less
  battery("BAT1", "voltage_now", "11000000");
  EXPECT_DOUBLE_EQ(*microjoules_between(source(), before, sample(1s)).value, 0.1 * 11.5 * 3600e6);
}

TEST_F(SensorsEnergy, BatteryThatIsCharged) {
  battery("BAT0", "type", "Battery");
  battery("BAT0", "status", "Discharging");
  battery("BAT0", "energy_now", "50000000");
  const EnergySource draining = source();
  const EnergySample before = sample(0s);
  battery("BAT0", "status", "Charging");
  EXPECT_THAT(source().reason, HasSubstr("not discharging (status of BAT0: 'Charging')"));
  EXPECT_THAT(microjoules_between(draining, before, read_energy(draining, 1s)).reason,
              HasSubstr("did not discharge all the time"));
  battery("BAT0", "status", "Discharging");
  battery("BAT0", "energy_now", "50000001");
  EXPECT_THAT(microjoules_between(draining, before, read_energy(draining, 1s)).reason,
              HasSubstr("BAT0 gained charge"));
  battery("AC", "type", "Mains");
  battery("AC", "online", "1");
  EXPECT_THAT(source().reason, HasSubstr("plugged in"));
}

TEST_F(SensorsEnergy, SecondBatteryMayBeFull) {
  for (const std::string name : {"BAT0", "BAT1"}) {
    battery(name, "type", "Battery");
    battery(name, "status", name == "BAT0" ? "Discharging" : "Full");
    battery(name, "energy_now", "50000000");
  }
  EXPECT_EQ(source().sensors.size(), 2u);
}

TEST_F(SensorsEnergy, MeterReadsInBetween) {
  hwmon(0, "power_meter", "power1", "", "50000000");
  const Sensors sensors(root(), {0});
  ASSERT_EQ(sensors.energy_source().longest_gap, 1s) << "so that its two ends alone would not do";
  Reading energy;
  // The thread that reads may be late on a busy machine: the reason says so then.
  for (int attempt = 0; attempt < 10 && !energy.value; ++attempt) {
    EnergyMeter meter(sensors);
    meter.begin();
    std::this_thread::sleep_for(1100ms);
    energy = meter.end();
    ASSERT_GE(meter.time(), 1100ms);
    if (energy.value) {
      EXPECT_NEAR(*energy.value, 50e6 * std::chrono::duration<double>(meter.time()).count(), 1);
    } else {
      EXPECT_THAT(energy.reason, HasSubstr("between two readings"));
    }
  }
  EXPECT_TRUE(energy.value);
}

TEST_F(SensorsEnergy, SeveralWrapsAreCountedWhenReadInBetween) {
  domain("intel-rapl:0", "package-0", 90, 100);
  const EnergySource rapl = source();
  EnergySample last = read_energy(rapl, 0s);
  double sum = 0;
  int seconds = 0;
  for (const unsigned value : {10u, 60u, 20u, 90u, 5u}) {
    count("intel-rapl:0", value);
    EnergySample next = read_energy(rapl, std::chrono::seconds(seconds += 30));
    sum += *microjoules_between(rapl, last, next).value;
    last = std::move(next);
  }
  EXPECT_EQ(sum, 20 + 50 + 60 + 70 + 15);
}

TEST_F(SensorsEnergy, MeterThatIsGivenUp) {
  hwmon(0, "power_meter", "power1", "", "50000000");
  const Sensors sensors(root(), {0});
  const EnergyMeter never_begun(sensors);
  EnergyMeter never_ended(sensors);
  never_ended.begin();
}

}  // namespace
}  // namespace armature::tools
