// `armature cpu`, on this machine and on made-up ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/cpu.h"
#include "tests/support/machine_root.h"
#include "tests/support/program.h"
#include "tools/machine/machine_report.h"

namespace armature::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tools::MachineReport;
using tools::ProcessFacts;

/// A machine of two clusters with a quota.
class MadeUpMachine : public testing::Test, protected MachineRoot {
 protected:
  MadeUpMachine() {
    for (int i = 0; i < 4; ++i) {
      const bool big = i >= 2;
      const std::string cpu = "sys/devices/system/cpu/cpu" + std::to_string(i) + "/";
      write(cpu + "regs/identification/midr_el1", big ? "0x410fd4f1\n" : "0x410fd462\n");
      write(cpu + "cpu_capacity", big ? "1024\n" : "300\n");
      write(cpu + "cache/index0/level", "1\n");
      write(cpu + "cache/index0/type", "Data\n");
      write(cpu + "cache/index0/size", "64K\n");
      write(cpu + "cache/index0/coherency_line_size", "64\n");
      write(cpu + "cache/index0/shared_cpu_list", std::to_string(i) + "\n");
    }
    write("sys/devices/system/cpu/online", "0-3\n");
    write("sys/devices/system/node/node0/cpulist", "0-3\n");
    write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal: 8000000 kB\n");
    write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
    write("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n");
    write("proc/self/cgroup", "0::/\n");
    write("proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    facts_.allowed_cpus = {0, 1, 2, 3};
    facts_.sve_bits = 256;
    facts_.page_bytes = 65536;
    facts_.limits.locked = 8000000;
  }

  MachineReport report() const { return tools::read_machine(root(), facts_); }

  ProcessFacts facts_;
};

TEST_F(MadeUpMachine, Json) {
  const auto json = nlohmann::json::parse(to_json(report()));
  EXPECT_EQ(json["model"], "Cortex-A510 r0p2");
  EXPECT_EQ(json["cores"], nlohmann::json::parse(R"([{"name": "Cortex-A510 r0p2", "count": 2, "cpus": "0-1"},
                                                     {"name": "Neoverse-V2 r0p1", "count": 2, "cpus": "2-3"}])"));
  EXPECT_EQ(json["features"], nlohmann::json::array());
  EXPECT_EQ(json["sve_bits"], 256);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_THAT(json["threads_reason"].get<std::string>(), HasSubstr("2 fast cores among 4 CPUs"));
  EXPECT_EQ(json["cpus"]["quota"], 1.5);
  EXPECT_EQ(json["cpus"]["fast_list"], "2-3");
  EXPECT_EQ(json["caches"], nlohmann::json::parse(R"([{"level": 1, "type": "data", "size": 65536, "line": 64,
                                                       "shared_by": 1, "count": 4}])"));
  EXPECT_EQ(json["pages"]["size"], 65536);
  EXPECT_EQ(json["pages"]["transparent"], "always");
  EXPECT_EQ(json["numa_nodes"],
            nlohmann::json::parse(R"([{"node": 0, "cpus": "0-3", "memory": 8192000000}])"));
  EXPECT_EQ(json["memory"]["total"], 8192000000);
  EXPECT_EQ(json["memory"]["available"], 4096000000);
  EXPECT_EQ(json["memory"]["lock_limit"], 8000000);
  EXPECT_EQ(json["memory"]["cgroup_left"], nullptr);
}

TEST_F(MadeUpMachine, Text) {
  const std::string text = to_text(report());
  EXPECT_THAT(text, HasSubstr("cores     2 x Cortex-A510 r0p2 (CPUs 0-1)\n"
                              "          2 x Neoverse-V2 r0p1 (CPUs 2-3)\n"));
  EXPECT_THAT(text, HasSubstr("caches    4 x L1 data, 64 KiB, 64-byte lines\n"));
  EXPECT_THAT(text, HasSubstr("SVE       256 bits\n"));
  EXPECT_THAT(
      text, HasSubstr("CPUs      4 online (0-3), 4 allowed (0-3), 2 of the fast class (2-3), quota 1.50\n"));
  EXPECT_THAT(text, HasSubstr("pages     64 KiB; transparent huge pages: always\n"));
  EXPECT_THAT(text, HasSubstr("NUMA      node 0: CPUs 0-3, 8.2 GB\n"));
  EXPECT_THAT(text, HasSubstr("memory    total 8.2 GB, available 4.1 GB; up to 8.0 MB can be locked\n"));
}

TEST_F(MadeUpMachine, LimitOfTheCgroup) {
  write("sys/fs/cgroup/memory.max", "1000000000\n");
  write("sys/fs/cgroup/memory.current", "250000000\n");
  EXPECT_EQ(report().memory_available, 750000000u);
  EXPECT_THAT(to_text(report()), HasSubstr("available 750.0 MB; the cgroup leaves 750.0 MB;"));
  write("sys/fs/cgroup/memory.max", "9223372036854771712\n");
  EXPECT_EQ(report().cgroup_left, std::nullopt) << "no limit";
}

TEST(EmptyMachine, NothingIsKnownAndNothingFails) {
  const MachineRoot nothing;
  ProcessFacts facts;
  facts.allowed_cpus = {0, 1};
  facts.caches = {{1, "data", 32768, 64, 0, 0}};
  const MachineReport report = tools::read_machine(nothing.root(), facts);
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["model"], nullptr);
  EXPECT_EQ(json["cores"], nlohmann::json::array());
  EXPECT_EQ(json["cpus"]["online"], 2);
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["caches"][0]["size"], 32768);
  EXPECT_EQ(json["caches"][0]["shared_by"], nullptr);
  EXPECT_EQ(json["memory"]["total"], nullptr);
  EXPECT_EQ(json["memory"]["available"], nullptr);
  EXPECT_THAT(to_text(report), AllOf(HasSubstr("total not known"), Not(HasSubstr("SVE")),
                                     HasSubstr("L1 data, 32 KiB, 64-byte lines\n")));
}

TEST(CpuCommand, ThisMachine) {
  const Outcome outcome = run_program({"cpu", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  std::string names;
  for (const std::string name : json["features"]) names += (names.empty() ? "" : " ") + name;
  EXPECT_EQ(names.empty() ? "scalar" : names, cpu::describe(cpu::detect()));
  EXPECT_EQ(json["features_used"], json["features"]);
  EXPECT_EQ(json["sve_bits"], 8 * cpu::sve_bytes());
  EXPECT_GE(json["threads"], 1);
  EXPECT_TRUE(json["caches"].is_array());
  EXPECT_GT(json["memory"]["total"], 1 << 20);
  EXPECT_FALSE(json["model"].is_null());

  const Outcome text = run_program({"cpu"});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("features  " + cpu::describe(cpu::detect()) + "\n"));
  EXPECT_THAT(text.out, HasSubstr("as detected"));
}

TEST(CpuCommand, MaskedFeatures) {
  const Outcome flag = run_program({"cpu", "--json", "--isa", "scalar"});
  EXPECT_EQ(flag.json()["features_used"], nlohmann::json::array());
  if (cpu::detect() == cpu::kNone) GTEST_SKIP() << "there is nothing to mask";
  EXPECT_EQ(flag.json()["features_masked_by"], "--isa");
  EXPECT_NE(flag.json()["features"], nlohmann::json::array());
  const Outcome variable = run_program({.args = {"cpu"}, .environment = {{"ARMATURE_ISA", "scalar"}}});
  EXPECT_THAT(variable.out, HasSubstr("used      scalar, by ARMATURE_ISA\n"));
}

TEST(CpuCommand, TakesNoWords) {
  EXPECT_EQ(run_program({"cpu", "word"}).status, 2);
  EXPECT_EQ(run_program({"cpu", "--isa", "nosuchisa"}).status, 2);
}

}  // namespace
}  // namespace armature::test
