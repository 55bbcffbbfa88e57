#include "engine/machine_hardware.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

#include "engine/machine.h"
#include "tests/support/machine_root.h"

namespace armature::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Cpus = std::vector<std::size_t>;

class MachineHardware : public testing::Test, protected MachineRoot {
 protected:
  static std::string cpu(std::size_t number) {
    return "sys/devices/system/cpu/cpu" + std::to_string(number) + "/";
  }
  void midr(std::size_t number, const std::string& value) const {
    write(cpu(number) + "regs/identification/midr_el1", value + "\n");
  }
  void cache(std::size_t number, int index, int level, const std::string& type, const std::string& size,
             const std::string& shared) const {
    const std::string folder = cpu(number) + "cache/index" + std::to_string(index) + "/";
    write(folder + "level", std::to_string(level) + "\n");
    write(folder + "type", type + "\n");
    write(folder + "size", size + "\n");
    write(folder + "coherency_line_size", "64\n");
    write(folder + "shared_cpu_list", shared + "\n");
  }
};

TEST_F(MachineHardware, OnlineCpus) {
  EXPECT_EQ(machine::online_cpus(root(), {3, 4}), (Cpus{3, 4}));
  write("sys/devices/system/cpu/online", "0-2,5\n");
  EXPECT_EQ(machine::online_cpus(root(), {3, 4}), (Cpus{0, 1, 2, 5}));
}

TEST_F(MachineHardware, CpuLists) {
  EXPECT_EQ(machine::cpu_list({}), "");
  EXPECT_EQ(machine::cpu_list({4}), "4");
  EXPECT_EQ(machine::cpu_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
}

TEST_F(MachineHardware, ArmCoresOfTwoKinds) {
  for (const std::size_t little : {0u, 1u}) midr(little, "0x00000000410fd034");
  for (const std::size_t big : {2u, 3u}) midr(big, "0x00000000410fd092");
  const auto kinds = machine::core_kinds(root(), {0, 1, 2, 3}, {});
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].name, "Cortex-A53 r0p4");
  EXPECT_EQ(kinds[0].cpus, (Cpus{0, 1}));
  EXPECT_EQ(kinds[1].name, "Cortex-A73 r0p2");
  EXPECT_EQ(kinds[1].cpus, (Cpus{2, 3}));
}

TEST_F(MachineHardware, ArmCoresByCpuinfo) {
  std::string text;
  for (int i = 0; i < 2; ++i)
    text += "processor\t: " + std::to_string(i) +
            "\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd evtstrm\nCPU implementer\t: 0x41\n"
            "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n";
  write("proc/cpuinfo", text);
  const auto kinds = machine::core_kinds(root(), {0, 1}, {"", 0x410fd034});
  ASSERT_EQ(kinds.size(), 1u);
  EXPECT_EQ(kinds[0].name, "Neoverse-N1 r3p1");
  EXPECT_EQ(kinds[0].cpus, (Cpus{0, 1}));
}

TEST_F(MachineHardware, ArmCoreThatAsksWhereNoFileTells) {
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: another machine's\n");
  const auto kinds = machine::core_kinds(root(), {0, 1}, {"", 0x410fd490});
  ASSERT_EQ(kinds.size(), 1u);
  EXPECT_EQ(kinds[0].name, "Neoverse-N2 r0p0");
}

TEST_F(MachineHardware, X86CoresByBrandAndClass) {
  const machine::CpuIdentity own{"Some CPU @ 3 GHz", 0};
  ASSERT_EQ(machine::core_kinds(root(), {0, 1, 2}, own).size(), 1u);
  EXPECT_EQ(machine::core_kinds(root(), {0, 1, 2}, own)[0].name, "Some CPU @ 3 GHz");
  write("sys/devices/cpu_core/cpus", "0-1\n");
  write("sys/devices/cpu_atom/cpus", "2\n");
  const auto kinds = machine::core_kinds(root(), {0, 1, 2}, own);
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].name, "Some CPU @ 3 GHz, performance");
  EXPECT_EQ(kinds[1].name, "Some CPU @ 3 GHz, efficient");
  EXPECT_EQ(kinds[1].cpus, (Cpus{2}));
}

TEST_F(MachineHardware, NameByCpuinfoWhereTheCpuHasNone) {
  EXPECT_THAT(machine::core_kinds(root(), {0}, {}), IsEmpty());
  write("proc/cpuinfo", "processor : 0\nmodel name  : A chip\n");
  EXPECT_EQ(machine::core_kinds(root(), {0}, {})[0].name, "A chip");
}

TEST_F(MachineHardware, CachesThatAreAlikeAreCounted) {
  for (const std::size_t i : {0u, 1u, 2u, 3u}) {
    cache(i, 0, 1, "Data", "48K", std::to_string(i));
    cache(i, 1, 1, "Instruction", "32K", std::to_string(i));
    cache(i, 2, 2, "Unified", i < 2 ? "2048K" : "4M", i < 2 ? "0-1" : "2-3");
    cache(i, 3, 3, "Unified", "36864K", "0-3");
  }
  write(cpu(0) + "cache/index4/level", "4\n");
  write(cpu(0) + "cache/uevent", "");
  const auto caches = machine::caches(root(), {0, 1, 2, 3});
  ASSERT_EQ(caches.size(), 5u);
  const auto expect = [&](std::size_t i, std::size_t level, const char* type, std::uint64_t kib,
                          std::size_t shared_by, std::size_t count) {
    EXPECT_EQ(caches[i].level, level) << i;
    EXPECT_EQ(caches[i].type, type) << i;
    EXPECT_EQ(caches[i].bytes, kib * 1024) << i;
    EXPECT_EQ(caches[i].line, 64u) << i;
    EXPECT_EQ(caches[i].shared_by, shared_by) << i;
    EXPECT_EQ(caches[i].count, count) << i;
  };
  expect(0, 1, "data", 48, 1, 4);
  expect(1, 1, "instruction", 32, 1, 4);
  expect(2, 2, "unified", 2048, 2, 1);
  expect(3, 2, "unified", 4096, 2, 1);
  expect(4, 3, "unified", 36864, 4, 1);
}

TEST_F(MachineHardware, Pages) {
  EXPECT_EQ(machine::pages(root()).transparent, "");
  write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  write("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
  write("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
  write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "128\n");
  write("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "100\n");
  write("sys/kernel/mm/hugepages/other/nr_hugepages", "1\n");
  const machine::Pages pages = machine::pages(root());
  EXPECT_EQ(pages.transparent, "madvise");
  EXPECT_EQ(pages.transparent_bytes, 2097152u);
  ASSERT_EQ(pages.huge.size(), 2u);
  EXPECT_EQ(pages.huge[0].bytes, 2048u * 1024);
  EXPECT_EQ(pages.huge[0].total, 128u);
  EXPECT_EQ(pages.huge[0].free, 100u);
  EXPECT_EQ(pages.huge[1].bytes, 1048576u * 1024);
}

TEST_F(MachineHardware, NumaNodesByNumber) {
  write("sys/devices/system/node/node10/cpulist", "\n");
  write("sys/devices/system/node/node2/cpulist", "0-1,4\n");
  write("sys/devices/system/node/node2/meminfo",
        "Node 2 MemTotal:       16384 kB\nNode 2 MemFree:         1024 kB\n");
  write("sys/devices/system/node/online", "2,10\n");
  const auto nodes = machine::numa_nodes(root());
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].number, 2u);
  EXPECT_THAT(nodes[0].cpus, ElementsAre(0, 1, 4));
  EXPECT_EQ(nodes[0].bytes, 16384u * 1024);
  EXPECT_EQ(nodes[1].number, 10u);
  EXPECT_THAT(nodes[1].cpus, IsEmpty());
  EXPECT_EQ(nodes[1].bytes, 0u);
}

TEST_F(MachineHardware, TotalMemory) {
  EXPECT_EQ(machine::total_memory(root()), std::nullopt);
  write("proc/meminfo", "MemTotal:        8000 kB\nMemFree:          100 kB\n");
  EXPECT_EQ(machine::total_memory(root()), 8000u * 1024);
}

TEST(ThisMachine, LimitsAreThoseOfTheProcess) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_MEMLOCK, &before), 0);
  rlimit lower = before;
  lower.rlim_cur = std::min<rlim_t>(before.rlim_cur, 4096);
  ASSERT_EQ(setrlimit(RLIMIT_MEMLOCK, &lower), 0);
  EXPECT_EQ(memory_limits().locked, lower.rlim_cur);
  ASSERT_EQ(setrlimit(RLIMIT_MEMLOCK, &before), 0);
}

}  // namespace
}  // namespace armature::test
