// Where threads run, by the flags for it.
#include "tools/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/machine.h"
#include "engine/machine_files.h"
#include "tests/support/program.h"

namespace armature::tools {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CpuMaskText, IsHexadecimal) {
  EXPECT_THAT(parse_cpu_mask("1"), ElementsAre(0));
  EXPECT_THAT(parse_cpu_mask("0x6"), ElementsAre(1, 2));
  EXPECT_THAT(parse_cpu_mask("A0"), ElementsAre(5, 7));
  EXPECT_THAT(parse_cpu_mask("0000000000000000000000010000000000000000"), ElementsAre(64));
  for (const char* text : {"", "0", "0x", "0x0", "g", "1g", "-1", "+1", " 1", "1 ", "1,2", "0-3"})
    EXPECT_THAT(parse_cpu_mask(text), IsEmpty()) << text;
}

TEST(CpuRangeText, MayLeaveAnEndOpen) {
  const CpuList allowed = {0, 1, 2, 3};
  EXPECT_THAT(parse_cpu_range("1-2", allowed), ElementsAre(1, 2));
  EXPECT_THAT(parse_cpu_range("2-2", allowed), ElementsAre(2));
  EXPECT_THAT(parse_cpu_range("2-", allowed), ElementsAre(2, 3));
  EXPECT_THAT(parse_cpu_range("-1", allowed), ElementsAre(0, 1));
  EXPECT_THAT(parse_cpu_range("6-7", allowed), ElementsAre(6, 7))
      << "whether they are there is another question";
  for (const char* text :
       {"", "-", "2", "3-2", "a-b", "1-2-3", "1--2", "0x1-2", " 1-2", "1-99999999999999999999"})
    EXPECT_THAT(parse_cpu_range(text, allowed), IsEmpty()) << text;
}

const Machine kOneNode = {.allowed = {0, 1, 2, 3}, .nodes = {{0, 1, 2, 3}}};
const Machine kTwoNodes = {.allowed = {0, 1, 2, 3, 8, 9}, .nodes = {{0, 2, 8}, {1, 3, 9}}, .current = 3};

Arguments parse(const std::vector<std::string_view>& args) { return Arguments::parse(kRun, args); }

Placement placed(const std::vector<std::string_view>& args, const Machine& machine = kOneNode,
                 bool prompt = false) {
  return choose_placement(parse(args), machine, prompt);
}
std::vector<CpuList> places(const std::vector<std::string_view>& args, const Machine& machine = kOneNode,
                            bool prompt = false) {
  return placed(args, machine, prompt).threads.places;
}

std::string refusal(const std::vector<std::string_view>& args, const Machine& machine = kOneNode) {
  try {
    placed(args, machine);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(Placement, IsTheSystemsUnlessAskedFor) {
  EXPECT_THAT(places({}), IsEmpty());
  EXPECT_EQ(placed({}).threads.poll, 50u);
  EXPECT_THAT(places({"--cpu-strict", "1"}), IsEmpty());
  EXPECT_THAT(places({"--numa", "distribute"}), IsEmpty());
}

TEST(Placement, StrictOrNot) {
  EXPECT_THAT(places({"-C", "5"}), ElementsAre(CpuList{0, 2}));
  EXPECT_THAT(places({"-C", "5", "--cpu-strict", "1"}), ElementsAre(CpuList{0}, CpuList{2}));
  EXPECT_THAT(places({"-C", "1", "-Cr", "2-3"}), ElementsAre(CpuList{0, 2, 3})) << "mask and range together";
  const Placement placement = placed({"-C", "0x5", "--cpu-mask", "6"});
  EXPECT_THAT(placement.cpus, ElementsAre(1, 2)) << "the last one counts";
  EXPECT_EQ(placement.chosen, "--cpu-mask");
  EXPECT_TRUE(placement.by_number);
}

TEST(Placement, OfThePrompt) {
  EXPECT_THAT(places({"-C", "1"}, kOneNode, true), ElementsAre(CpuList{0})) << "as for the rest";
  EXPECT_THAT(places({"-C", "1", "-Cb", "6"}, kOneNode, true), ElementsAre(CpuList{1, 2}));
  EXPECT_THAT(places({"-C", "1", "-Cb", "6"}), ElementsAre(CpuList{0}));
  EXPECT_THAT(places({"-C", "3", "--cpu-strict", "1", "--cpu-strict-batch", "0"}, kOneNode, true),
              ElementsAre(CpuList{0, 1}));
  EXPECT_EQ(placed({"--poll", "7"}, kOneNode, true).threads.poll, 7u);
  EXPECT_EQ(placed({"--poll", "7", "--poll-batch", "0"}, kOneNode, true).threads.poll, 0u);
}

TEST(Placement, Numa) {
  EXPECT_THAT(places({"--numa", "distribute"}, kTwoNodes), ElementsAre(CpuList{0, 2, 8}, CpuList{1, 3, 9}));
  EXPECT_THAT(places({"--numa", "isolate"}, kTwoNodes), ElementsAre(CpuList{1, 3, 9}));
  EXPECT_THAT(places({"--numa", "numactl"}, kTwoNodes), IsEmpty());
  EXPECT_THAT(places({"--numa", "distribute", "-C", "7"}, kTwoNodes), ElementsAre(CpuList{0, 2}, CpuList{1}));
  EXPECT_THAT(places({"--numa", "distribute", "-C", "7", "--cpu-strict", "1"}, kTwoNodes),
              ElementsAre(CpuList{0}, CpuList{1}, CpuList{2}));
  EXPECT_THAT(places({"--numa", "isolate", "-C", "5"}, kTwoNodes), ElementsAre(CpuList{0, 2}))
      << "none of them is on this node";
  EXPECT_THAT(placement_notes(parse({"--numa", "isolate"}), kTwoNodes), IsEmpty());
  EXPECT_THAT(placement_notes(parse({"--numa", "isolate"}), kOneNode),
              ElementsAre(HasSubstr("one NUMA node")));
  EXPECT_THAT(placement_notes(parse({"--cpu-strict", "1"}), kOneNode), ElementsAre(HasSubstr("no effect")));
}

TEST(Placement, WhatIsMalformedOrNotThereIsRefused) {
  EXPECT_THAT(refusal({"-C", "xyz"}), AllOf(HasSubstr("-C: value 'xyz'"), HasSubstr("hexadecimal")));
  EXPECT_THAT(refusal({"-C", "0"}), HasSubstr("-C: value '0'"));
  EXPECT_THAT(refusal({"--cpu-range", "2"}), AllOf(HasSubstr("--cpu-range: value '2'"), HasSubstr("2-2")));
  EXPECT_THAT(refusal({"-Cr", "3-1"}), HasSubstr("-Cr: value '3-1'"));
  EXPECT_THAT(refusal({"-C", "13"}), HasSubstr("-C: CPU 4; allowed: 0-3"));
  EXPECT_THAT(refusal({"-Cr", "2-5"}), HasSubstr("-Cr: CPU 4; allowed: 0-3"));
  EXPECT_THAT(refusal({"-Cr", "7-8"}, kTwoNodes), HasSubstr("-Cr: CPU 7; allowed: 0-3,8-9"));
}

/// The CPUs that each thread of a process may run on, as the system shows them.
std::vector<CpuList> allowed_lists(pid_t process) {
  std::vector<CpuList> lists;
  std::error_code gone;
  const auto tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
    std::ifstream status(task.path() / "status");
    const std::string key = "Cpus_allowed_list:";
    for (std::string line; std::getline(status, line);)
      if (line.starts_with(key)) lists.push_back(machine::parse_cpu_list(line.substr(key.size() + 1)));
  }
  std::sort(lists.begin(), lists.end());
  return lists;
}

/// Whether the threads of a program that makes tokens come to run on these CPUs.
bool comes_to_run_on(const std::vector<std::string>& flags, const std::vector<CpuList>& places) {
  test::Launch launch{.args = {"run", "--raw", "-p", "Once", "--ignore-eos", "--context-shift", "-c", "64"}};
  launch.args.insert(launch.args.end(), flags.begin(), flags.end());
  test::Process process(launch);
  if (!process.wait_for_output()) return false;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (std::chrono::steady_clock::now() < end) {
    if (allowed_lists(process.id()) == places) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

class Pinning : public testing::Test {
 protected:
  void SetUp() override {
    if (test::program_is_emulated()) GTEST_SKIP() << "threads of the emulator are seen too";
    if (allowed.size() < 2 || allowed[0] != 0 || allowed[1] != 1) GTEST_SKIP() << "CPUs 0 and 1 are needed";
  }
  const CpuList allowed = allowed_cpus();
};

TEST_F(Pinning, TakesEffect) {
  EXPECT_TRUE(comes_to_run_on({"-t", "2", "-Cr", "0-1", "--cpu-strict", "1"}, {{0}, {1}}));
  EXPECT_TRUE(comes_to_run_on({"-C", "0x2"}, {{1}})) << "as many threads as CPUs";
  EXPECT_TRUE(comes_to_run_on({"-t", "2", "-C", "2"}, {{1}, {1}}));
}

TEST_F(Pinning, IsToldWithTheNumberOfThreads) {
  const auto err = [](std::vector<std::string> flags) {
    std::vector<std::string> args = {"run", "-n", "1", "-p", "x"};
    args.insert(args.end(), flags.begin(), flags.end());
    return test::run_program(args).err;
  };
  EXPECT_THAT(err({"-C", "3"}), HasSubstr("threads: 2 (2 CPUs of -C)"));
  EXPECT_THAT(err({"-Cr", "1-1", "-t", "2"}), HasSubstr("threads: 2 (as asked, on 1 CPU of -Cr)"));
  EXPECT_THAT(err({"-t", "-1", "-tb", "-1"}), HasSubstr("threads: "));
}

TEST_F(Pinning, RefusesWhatIsNotThere) {
  for (const auto& flags :
       {std::vector<std::string>{"-Cr", "0-5000"}, {"-C", "zz"}, {"-Cb", "0"}, {"-Crb", "1"}}) {
    std::vector<std::string> args = {"run", "-n", "1", "-p", "x"};
    args.insert(args.end(), flags.begin(), flags.end());
    const test::Outcome outcome = test::run_program(args);
    EXPECT_EQ(outcome.status, 2) << flags[1];
    EXPECT_THAT(outcome.err, HasSubstr("error: " + flags[0] + ": ")) << flags[1];
  }
}

TEST(Priority, OfTheProgramAndOfItsPrompts) {
  const auto err = [](std::vector<std::string> flags, bool privileged) {
    test::Launch launch{.args = {"run", "-n", "1", "-p", "x"}};
    launch.args.insert(launch.args.end(), flags.begin(), flags.end());
    launch.in_child = [privileged] {
      constexpr uid_t kNobody = 65534;
      if (!privileged && ::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(126);
    };
    const test::Outcome outcome = test::run_program(launch);
    EXPECT_TRUE(outcome.status == 0 || outcome.status == 126) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(err({"--prio", "-1"}, true), testing::Not(HasSubstr("note: --prio")));
  EXPECT_THAT(err({"--prio", "-1"}, false), testing::Not(HasSubstr("note: --prio")));
  const std::string raised = err({"--prio", "2"}, false);
  const std::string back = err({"--prio-batch", "-1"}, false);
  if (raised.empty()) GTEST_SKIP() << "the program cannot be started as another user";
  EXPECT_THAT(raised, HasSubstr("note: --prio: the system refuses nice value "));
  EXPECT_THAT(back, HasSubstr("note: --prio-batch: the system does not let threads go"));
}

}  // namespace
}  // namespace armature::tools
