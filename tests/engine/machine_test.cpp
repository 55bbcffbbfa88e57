#include "engine/machine.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstring>
#include <thread>

#include "engine/machine_files.h"
#include "tests/support/machine_root.h"

namespace armature {
namespace {

class MachineTest : public testing::Test, protected test::MachineRoot {
 protected:
  void capacities(const std::vector<int>& values) {
    for (std::size_t cpu = 0; cpu < values.size(); ++cpu)
      write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpu_capacity",
            std::to_string(values[cpu]) + "\n");
  }
  void cgroup_v2(const std::string& own, const std::string& top = "/") {
    write("proc/self/cgroup", "0::" + own + "\n");
    write("proc/self/mountinfo", "22 1 0:20 / /proc rw,nosuid - proc proc rw\n30 22 0:27 " + top +
                                     " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  void cgroup_v1(const std::string& own, const std::string& top = "/") {
    write("proc/self/cgroup", "5:cpuset:/elsewhere\n4:memory:" + own + "\n3:cpu,cpuacct:" + own + "\n0::/\n");
    write("proc/self/mountinfo",
          "31 30 0:28 " + top +
              " /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
              "32 30 0:29 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n"
              "34 30 0:31 " +
              top +
              " /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
              "40 30 0:37 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  }

  std::filesystem::path root_ = root();
  std::vector<std::size_t> four_ = {0, 1, 2, 3};
  std::vector<std::size_t> eight_ = {0, 1, 2, 3, 4, 5, 6, 7};
};

TEST(CpuList, RangesAndSingles) {
  using machine::parse_cpu_list;
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11\n"), (std::vector<std::size_t>{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("5\n"), (std::vector<std::size_t>{5}));
  EXPECT_EQ(parse_cpu_list("2,0-1,1"), (std::vector<std::size_t>{0, 1, 2}));
  for (const char* text : {"", "\n", "a", "3-1", "1-", "-1", "0-99999999999", "1,,2"})
    EXPECT_TRUE(parse_cpu_list(text).empty()) << text;
}

TEST_F(MachineTest, AffinityAloneWhereNothingElseIsKnown) {
  const ThreadChoice choice = machine::choose_threads(root_, four_);
  EXPECT_EQ(choice.n_threads, 4u);
  EXPECT_EQ(choice.reason, "4 CPUs in the affinity mask");
  EXPECT_EQ(machine::choose_threads(root_, {6}).reason, "1 CPU in the affinity mask");
}

TEST_F(MachineTest, QuotaV2) {
  cgroup_v2("/pod/box");
  write("sys/fs/cgroup/pod/box/cpu.max", "200000 100000\n");
  const ThreadChoice choice = machine::choose_threads(root_, eight_);
  EXPECT_EQ(choice.n_threads, 2u);
  EXPECT_EQ(choice.reason, "cgroup quota of 2 CPUs, less than 8 CPUs in the affinity mask");
}

TEST_F(MachineTest, QuotaV2OfAParentCounts) {
  cgroup_v2("/pod/box");
  write("sys/fs/cgroup/pod/box/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/pod/cpu.max", "300000 100000\n");
  write("sys/fs/cgroup/cpu.max", "500000 100000\n");
  EXPECT_EQ(machine::cpu_quota(root_), 3.0);
  EXPECT_EQ(machine::choose_threads(root_, eight_).n_threads, 3u);
}

TEST_F(MachineTest, QuotaV2InsideAContainerThatSeesItsCgroupAsTheTop) {
  cgroup_v2("/");
  write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(machine::cpu_quota(root_), 1.5);
  const ThreadChoice choice = machine::choose_threads(root_, four_);
  EXPECT_EQ(choice.n_threads, 2u);
  EXPECT_EQ(choice.reason, "cgroup quota of 1.5 CPUs, less than 4 CPUs in the affinity mask");
}

TEST_F(MachineTest, QuotaV1) {
  cgroup_v1("/docker/abc");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(machine::cpu_quota(root_), std::nullopt);
  write("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_quota_us", "125000\n");
  write("sys/fs/cgroup/cpu,cpuacct/docker/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(machine::cpu_quota(root_), 2.5);
}

TEST_F(MachineTest, QuotaV1MountedFromTheContainersOwnCgroup) {
  cgroup_v1("/docker/abc", "/docker/abc");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "40000\n");
  write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(machine::cpu_quota(root_), 0.4);
  EXPECT_EQ(machine::choose_threads(root_, four_).n_threads, 1u);
}

TEST_F(MachineTest, AQuotaAboveTheMaskOrMalformedChangesNothing) {
  cgroup_v2("/");
  for (const char* text :
       {"900000 100000\n", "max 100000\n", "100000\n", "100000 0\n", "-5 100000\n", "x y\n", ""}) {
    write("sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(machine::choose_threads(root_, four_).reason, "4 CPUs in the affinity mask") << text;
  }
}

TEST_F(MachineTest, LittleArmCoresAreLeftOut) {
  capacities({446, 446, 446, 446, 1024, 1024, 1024, 1024});
  EXPECT_EQ(machine::fast_cpus(root_, eight_), (std::vector<std::size_t>{4, 5, 6, 7}));
  const ThreadChoice choice = machine::choose_threads(root_, eight_);
  EXPECT_EQ(choice.n_threads, 4u);
  EXPECT_EQ(choice.reason, "4 fast cores among 8 CPUs in the affinity mask");
}

TEST_F(MachineTest, MiddleArmCoresStay) {
  capacities({160, 160, 160, 160, 670, 670, 1024, 1024});
  EXPECT_EQ(machine::fast_cpus(root_, eight_), (std::vector<std::size_t>{4, 5, 6, 7}));
}

TEST_F(MachineTest, LittleArmCoresCountWhereTheyAreAllThatIsAllowed) {
  capacities({446, 446, 1024, 1024});
  EXPECT_EQ(machine::choose_threads(root_, {0, 1}).reason, "2 CPUs in the affinity mask");
  EXPECT_EQ(machine::choose_threads(root_, {0, 1, 2}).n_threads, 1u);
}

TEST_F(MachineTest, EfficientX86CoresAreLeftOut) {
  write("sys/devices/cpu_core/cpus", "0-3\n");
  write("sys/devices/cpu_atom/cpus", "4-7\n");
  EXPECT_EQ(machine::choose_threads(root_, eight_).reason, "4 fast cores among 8 CPUs in the affinity mask");
  EXPECT_EQ(machine::fast_cpus(root_, {3, 4, 5}), (std::vector<std::size_t>{3}));
  EXPECT_EQ(machine::fast_cpus(root_, {4, 5}), (std::vector<std::size_t>{4, 5}));
}

TEST_F(MachineTest, TheQuotaIsWeighedAgainstTheFastCores) {
  capacities({446, 446, 1024, 1024});
  cgroup_v2("/");
  write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_EQ(machine::choose_threads(root_, four_).reason, "2 fast cores among 4 CPUs in the affinity mask");
  write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(machine::choose_threads(root_, four_).reason,
            "cgroup quota of 1 CPU, less than 2 fast cores among 4 CPUs in the affinity mask");
}

TEST_F(MachineTest, AvailableMemory) {
  EXPECT_EQ(machine::available_memory(root_), std::numeric_limits<std::uint64_t>::max());
  write("proc/meminfo", "MemTotal:        8000 kB\nMemFree:          100 kB\nMemAvailable:    5000 kB\n");
  EXPECT_EQ(machine::available_memory(root_), 5000u * 1024);
}

TEST_F(MachineTest, MemoryLimitV2LeavesWhatIsNotUsed) {
  write("proc/meminfo", "MemAvailable:    5000 kB\n");
  cgroup_v2("/box");
  write("sys/fs/cgroup/box/memory.max", "max\n");
  write("sys/fs/cgroup/box/memory.current", "900000\n");
  EXPECT_EQ(machine::available_memory(root_), 5000u * 1024);
  write("sys/fs/cgroup/box/memory.max", "1000000\n");
  EXPECT_EQ(machine::available_memory(root_), 100000u);
  write("sys/fs/cgroup/box/memory.stat",
        "anon 400000\nfile 500000\ninactive_file 300000\nactive_file 200000\n");
  EXPECT_EQ(machine::available_memory(root_), 400000u);
  write("sys/fs/cgroup/box/memory.current", "2000000\n");
  EXPECT_EQ(machine::available_memory(root_), 0u);
}

TEST_F(MachineTest, MemoryLimitV1) {
  cgroup_v1("/docker/abc");
  write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", "4096\n");
  write("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "1048576\n");
  write("sys/fs/cgroup/memory/docker/memory.usage_in_bytes", "524288\n");
  write("sys/fs/cgroup/memory/docker/memory.stat", "inactive_file 1\ntotal_inactive_file 4096\n");
  EXPECT_EQ(machine::cgroup_memory_left(root_), 528384u);
}

TEST_F(MachineTest, LimitsOfTheProcess) {
  write("proc/meminfo", "MemAvailable:    5000 kB\n");
  write("proc/self/status", "VmSize:\t    1000 kB\nVmData:\t     300 kB\n");
  EXPECT_EQ(machine::available_memory(root_, {.address_space = 3000u * 1024}), 2000u * 1024);
  EXPECT_EQ(machine::available_memory(root_, {.data = 1000u * 1024}), 700u * 1024);
  EXPECT_EQ(machine::available_memory(root_, {.address_space = 100, .data = 1u << 30}), 0u);
  EXPECT_EQ(machine::available_memory(root_, {.locked = 1}), 5000u * 1024);
}

TEST_F(MachineTest, PeakResidentSet) {
  EXPECT_EQ(machine::peak_rss(root_), 0u);
  write("proc/self/status", "Name:\tx\nVmPeak:\t  90000 kB\nVmHWM:\t   12345 kB\nVmRSS:\t   11111 kB\n");
  EXPECT_EQ(machine::peak_rss(root_), 12345u * 1024);
}

TEST(ThisMachine, OneThreadWhereOneCpuIsAllowed) {
  std::thread([] {
    cpu_set_t before, one;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    EXPECT_EQ(n_allowed_cpus(), static_cast<std::size_t>(CPU_COUNT(&before)));
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(n_allowed_cpus(), 1u);
    EXPECT_EQ(choose_threads().n_threads, 1u);
    EXPECT_EQ(choose_threads().reason, "1 CPU in the affinity mask");
  }).join();
}

TEST(ThisMachine, MemoryIsKnown) {
  EXPECT_GT(available_memory(), 1u << 20);
  const std::size_t before = peak_rss();
  EXPECT_GT(before, 100u << 10);
  const std::size_t size = before + (32u << 20);
  std::vector<char> memory(size);
  std::memset(memory.data(), 1, size);
  EXPECT_GE(peak_rss(), size) << static_cast<int>(memory[size / 2]);
}

}  // namespace
}  // namespace armature
