// `armature` as a program: where the prompt comes from, exit statuses, faults of its surroundings.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <limits>
#include <thread>

#include "kernels/cpu.h"
#include "tests/support/program.h"
#include "tests/support/table_model.h"

namespace armature::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Args = std::vector<std::string>;

/// A model that says "A" after "h", and goes round "BBB..." after "B".
class CommandLine : public testing::Test {
 protected:
  static TinyModel model() {
    LogitTable table = path_table({104, 65, 276});
    table[{66, 66}] = 5.0f;
    return table_model(table, -20.0f, 1u << 20);
  }

  Launch greedy(Args args) const {
    args.insert(args.begin(), {"run", "-m", path, "--raw", "--temp", "0"});
    return {.args = std::move(args)};
  }

  TempDir folder;
  std::string path = folder.write("model.gguf", model());
};

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(CommandLine, PromptFromFlagFileWordsAndInput) {
  EXPECT_EQ(run_program(greedy({"-p", "xh"})).out, "A");
  EXPECT_EQ(run_program(greedy({"-f", folder.write("prompt", "xh\n")})).out, "A");
  EXPECT_EQ(run_program(greedy({"--echo", "some", "oh"})).out, "some ohA");
  Launch from_input = greedy({"--echo"});
  from_input.input = "x\\nh\n";
  EXPECT_EQ(run_program(from_input).out, "x\\nhA") << "escapes are for the command line";
  from_input.args.insert(from_input.args.end(), {"-p", "\\x68"});
  EXPECT_EQ(run_program(from_input).out, "hA") << "-p before standard input";
  EXPECT_EQ(run_program(greedy({"--echo", "--no-escape", "-n", "0", "-p", "\\x68"})).out, "\\x68");
}

TEST_F(CommandLine, PromptFromAPipe) {
  Launch launch = greedy({});
  launch.in_child = [] {
    int ends[2];
    if (::pipe(ends) != 0 || ::write(ends[1], "h", 1) != 1) ::_exit(125);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[1]);
    ::close(ends[0]);
  };
  EXPECT_EQ(run_program(launch).out, "A");
}

TEST_F(CommandLine, AnInputThatIsClosedIsNotAnEmptyOne) {
  Launch launch = greedy({});
  launch.in_child = [] { ::close(STDIN_FILENO); };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("standard input"));
  launch.args.insert(launch.args.end(), {"-p", "h"});
  EXPECT_EQ(run_program(launch).out, "A") << "it is not read";
}

TEST_F(CommandLine, AsksForAPromptOnATerminal) {
  Launch launch = greedy({});
  launch.in_child = [] {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) ::_exit(125);
    const int user = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
    if (user < 0) ::_exit(125);
    ::dup2(user, STDIN_FILENO);
  };
  const Outcome outcome = run_program(launch);
  if (outcome.status == 125) GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("error: no prompt"), HasSubstr("-p")));
}

TEST_F(CommandLine, EmptyPrompt) {
  const Outcome from_bos = run_program(greedy({"-v", "-n", "0", "-p", ""}));
  EXPECT_EQ(from_bos.status, 0) << from_bos.err;
  EXPECT_THAT(from_bos.err, HasSubstr("prompt: [275]"));
  EXPECT_EQ(run_program(greedy({"-n", "0"})).status, 0) << "standard input is empty";
  TinyModel no_bos = model();
  no_bos.erase_key("tokenizer.ggml.bos_token_id");
  const Outcome refused = run_program({"run", "-m", folder.write("no-bos.gguf", no_bos), "--raw", "-p", ""});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("error: empty prompt"));
}

TEST_F(CommandLine, OddPrompts) {
  EXPECT_EQ(run_program(greedy({"-n", "1", "-p", " \\n "})).status, 0);
  for (const char* bytes : {"\xFF\xFE", "\xC0\xAF", "\xED\xA0\x80", "\xF0\x9F"})
    EXPECT_EQ(run_program(greedy({"-n", "1", "-p", bytes})).status, 0);
  const Outcome with_nul = run_program(greedy({"--json", "-n", "0", "-p", "a\\x00b\\x00"}));
  EXPECT_EQ(with_nul.json()["prompt_tokens"], 4);
}

TEST_F(CommandLine, LongPromptsAreEncodedInLinearTime) {
  const std::pair<std::string, const char*> cases[] = {{std::string(200000, 'a'), "200000"},
                                                       {std::string(50001, '\n'), "25000"},
                                                       {std::string(1000000, '7'), "1000000"}};
  for (const auto& [text, n_tokens] : cases) {
    const Outcome outcome = run_program(greedy({"-c", "64", "-f", folder.write("long", text)}));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err,
                HasSubstr("the prompt has " + std::string(n_tokens) + " tokens, the context 64"));
  }
}

TEST_F(CommandLine, LogitsThatAreNotFinite) {
  TinyModel broken = model();
  broken.set_weights("output_norm.weight",
                     std::vector<float>(kTableHidden, std::numeric_limits<float>::quiet_NaN()));
  const Outcome outcome = run_program({"run", "-m", folder.write("nan.gguf", broken), "--raw", "-p", "h"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("finite"));
}

TEST_F(CommandLine, StandardOutputIsTheAnswerAlone) {
  const Outcome outcome = run_program(greedy({"-p", "h"}));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "A");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("threads: "), HasSubstr("context: "), HasSubstr("stop: eos"),
                                 HasSubstr("seed "), HasSubstr("time: load"), HasSubstr("memory: weights")));
}

TEST_F(CommandLine, JsonHasEveryField) {
  const auto json = run_program(greedy({"-p", "h", "--json", "-t", "1", "-s", "7"})).json();
  EXPECT_EQ(json["text"], "A");
  EXPECT_EQ(json["tokens"], nlohmann::json({65, 276}));
  EXPECT_EQ(json["prompt_tokens"], 1);
  EXPECT_EQ(json["stop_reason"], "eos");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["model"]["path"], path);
  EXPECT_EQ(json["model"]["architecture"], "llama");
  EXPECT_EQ(json["model"]["type"], "F32");
  EXPECT_EQ(json["model"]["bytes"], std::filesystem::file_size(path));
  for (const char* key : {"load_ms", "prompt_ms", "generate_ms", "sample_ms", "other_ms", "prompt_per_second",
                          "generate_per_second"})
    EXPECT_GT(json["timings"][key].get<double>(), 0.0) << key;
  for (const char* key : {"weights", "kv", "scratch", "peak_rss"})
    EXPECT_GT(json["memory"][key].get<std::uint64_t>(), 0u) << key;
  EXPECT_EQ(json["threads"], 1);
  EXPECT_TRUE(json["isa"].is_string());
}

TEST_F(CommandLine, JsonWithAPathThatIsNotUtf8) {
  const std::string odd = folder.write("\xFF\"\n.gguf", model());
  const Outcome outcome = run_program({"run", "-m", odd, "--raw", "-p", "h", "-n", "1", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.json()["model"]["path"].get<std::string>(), HasSubstr("\uFFFD\"\n.gguf"));
}

TEST_F(CommandLine, UsageFaults) {
  const Args cases[] = {
      {},
      {"walk"},
      {"run", "--thread", "4", "-p", "x"},
      {"run", "-t", "4x", "-p", "x"},
      {"run", "-p"},
      {"run", "--isa", "z80", "-p", "x"},
  };
  for (const Args& args : cases) {
    const Outcome outcome = run_program(args);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("error: "));
    EXPECT_EQ(count_lines(outcome.err), 1u) << outcome.err;
  }
  const Outcome by_environment =
      run_program(Launch{.args = {"run", "-p", "x"}, .environment = {{"ARMATURE_ISA", "z80"}}});
  EXPECT_EQ(by_environment.status, 2);
  EXPECT_THAT(by_environment.err, HasSubstr("ARMATURE_ISA"));
}

TEST_F(CommandLine, HelpAndVersion) {
  for (const Args& args :
       {Args{"--help"}, Args{"run", "--help"}, Args{"--version"}, Args{"run", "--version"}}) {
    const Outcome outcome = run_program(args);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, AnyOf(StartsWith("usage: armature"), StartsWith("armature ")));
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(CommandLine, IsaIsMasked) {
  for (const cpu::Isa& isa : cpu::isas()) {
    if (!cpu::has(cpu::detect(), isa.bit)) continue;
    const std::string name(isa.name);
    const auto by_flag = run_program(greedy({"-p", "h", "--json", "--isa", name}));
    EXPECT_EQ(by_flag.json()["text"], "A") << name;
    EXPECT_THAT(by_flag.json()["isa"].get<std::string>(), HasSubstr(name));
    Launch by_variable = greedy({"-p", "h", "--json"});
    by_variable.environment = {{"ARMATURE_ISA", name}};
    EXPECT_EQ(run_program(by_variable).json()["isa"], by_flag.json()["isa"]) << name;
  }
}

TEST_F(CommandLine, ModelThatCannotBeOpened) {
  for (const std::string& bad : {folder.path("missing.gguf"), std::string("/"), std::string("/dev/zero"),
                                 std::string("/dev/null"), folder.write("short.gguf", "GGUF")}) {
    const Outcome outcome = run_program({"run", "-m", bad, "-p", "x"});
    EXPECT_EQ(outcome.status, 1) << bad;
    EXPECT_THAT(outcome.err, StartsWith("error: " + bad + ": "));
    EXPECT_EQ(count_lines(outcome.err), 1u) << outcome.err;
  }
}

TEST_F(CommandLine, PromptFileThatCannotBeRead) {
  for (const std::string& bad : {folder.path("missing"), std::string("/"), std::string("/dev/zero")}) {
    const Outcome outcome = run_program(greedy({"-f", bad}));
    EXPECT_EQ(outcome.status, 1) << bad;
    EXPECT_THAT(outcome.err, StartsWith("error: " + bad + ": "));
  }
}

TEST_F(CommandLine, ContextBeyondMemory) {
  const Outcome outcome = run_program({"run", "-c", "2147483647", "-p", "x"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("bytes"), HasSubstr("context")));
}

TEST_F(CommandLine, BatchBeyondTheContextIsTheContext) {
  EXPECT_EQ(run_program(greedy({"-c", "8", "-b", "4096", "-ub", "4096", "-p", "h"})).out, "A");
}

TEST_F(CommandLine, PublishedLineOfAnotherProgram) {
  const Outcome outcome = run_program(
      {"run", "--model", path, "--threads", "64", "--batch-size", "128", "--ctx-size", "4096", "--flash-attn",
       "on", "--mlock", "-p",
       "Explain the theory of relativity in detail and include mathematical equations.", "-n", "8"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(CommandLine, GpuFlagsAreNotedOnce) {
  const Outcome outcome = run_program(greedy({"-ngl", "99", "-dev", "none", "--no-kv-offload", "-p", "h"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "A");
  EXPECT_THAT(outcome.err, HasSubstr("note: ignored: -ngl, -dev, --no-kv-offload"));
}

TEST_F(CommandLine, MemoryLockThatIsRefused) {
#ifdef ARMATURE_SANITIZED
  GTEST_SKIP() << "sanitizers make mlock() do nothing";
#endif
  Launch launch = greedy({"--mlock", "-p", "h"});
  std::filesystem::permissions(folder.path(""), std::filesystem::perms::all);
  launch.in_child = [] {
    const rlimit limit = {64 << 10, 64 << 10};
    ::setrlimit(RLIMIT_MEMLOCK, &limit);
    constexpr uid_t kNobody = 65534;  // root may lock beyond the limit
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(126);
  };
  const Outcome outcome = run_program(launch);
  if (outcome.status == 126) GTEST_SKIP() << "the program cannot be started as another user";
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "A");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("warning: "), HasSubstr("65536")));
}

TEST_F(CommandLine, ReadInPlaceOfMapped) {
  const Outcome outcome = run_program(greedy({"--no-mmap", "-p", "h"}));
  EXPECT_EQ(outcome.out, "A");
  EXPECT_THAT(outcome.err, HasSubstr(" read, KV"));
}

TEST_F(CommandLine, StandardOutputClosed) {
  Launch launch = greedy({"-p", "h"});
  launch.in_child = [] { ::close(STDOUT_FILENO); };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, StartsWith("error: standard output: "));
}

TEST_F(CommandLine, StandardOutputFull) {
  Launch launch = greedy({"-p", "B"});
  launch.in_child = [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("error: standard output: No space left on device"));
}

TEST_F(CommandLine, ReaderOfStandardOutputLeaves) {
  Launch launch = greedy({"-p", "B"});
  launch.in_child = [] {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(125);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
  };
  const Outcome outcome = run_program(launch);
  EXPECT_EQ(outcome.status, 1) << outcome.signal;
  EXPECT_THAT(outcome.err, Not(HasSubstr("error")));
}

TEST_F(CommandLine, AllStreamsClosed) {
  Launch launch = greedy({"-p", "h"});
  launch.in_child = [] {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
  };
  EXPECT_EQ(run_program(launch).status, 1);
}

TEST_F(CommandLine, InterruptEndsAtTheNextToken) {
  Process process(greedy({"-p", "B"}));
  ASSERT_TRUE(process.wait_for_output());
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.out, StartsWith("B"));
  EXPECT_THAT(outcome.err, HasSubstr("stop: interrupted"));
}

TEST_F(CommandLine, SecondInterruptEndsAtOnce) {
  // One pass over all of this takes seconds, and an interrupt is looked for between passes.
  Process process(greedy({"--echo", "-ub", "20000", "-b", "20000", "-p", std::string(20000, 'B')}));
  ASSERT_TRUE(process.wait_for_output());
  process.send(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto second = std::chrono::steady_clock::now();
  process.send(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - second, std::chrono::seconds(1));
}

TEST_F(CommandLine, InterruptWhileThePromptIsRead) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Launch launch = greedy({});
  launch.in_child = [&] { ::dup2(ends[0], STDIN_FILENO); };
  Process process(launch);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // no prompt comes
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.signal;
  EXPECT_EQ(outcome.out, "");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(CommandLine, FileThatShrinksWhileMapped) {
  Process process(greedy({"-p", "B"}));
  ASSERT_TRUE(process.wait_for_output());
  std::filesystem::resize_file(path, 4096);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 1) << "signal " << outcome.signal;
  EXPECT_THAT(outcome.err, HasSubstr("error: " + path + ": "));
  EXPECT_THAT(outcome.err, HasSubstr("changed"));
}

TEST_F(CommandLine, FileThatShrinksAfterItWasRead) {
  Process process(greedy({"--no-mmap", "-p", "B", "-n", "500"}));
  ASSERT_TRUE(process.wait_for_output());
  std::filesystem::resize_file(path, 4096);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, std::string(500, 'B'));
}

TEST_F(CommandLine, MoreThreadsThanCpus) {
  for (const char* threads : {"2", "4", "16"}) {
    Launch launch = greedy({"-t", threads, "-p", "B", "-n", "32"});
    launch.in_child = [] {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(::sched_getcpu(), &one);
      ::sched_setaffinity(0, sizeof(one), &one);
    };
    EXPECT_EQ(run_program(launch).out, std::string(32, 'B')) << threads;
  }
}

TEST_F(CommandLine, LimitedAddressSpaceLimitsThreadsAndContext) {
  if (program_is_emulated()) GTEST_SKIP() << "the limit would be the emulator's";
  Launch launch = greedy({"-t", "64", "-p", "B", "-n", "3", "-v"});
  launch.in_child = [] {
    const rlimit limit = {200u << 20, 200u << 20};
    ::setrlimit(RLIMIT_AS, &limit);
  };
  const Outcome outcome = run_program(launch);
#ifndef ARMATURE_SANITIZED  // they need more than that for themselves
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "BBB");
  EXPECT_THAT(outcome.err, HasSubstr("of the 64 threads"));
  EXPECT_THAT(outcome.err, HasSubstr("of memory hold"));
#endif
}

TEST_F(CommandLine, WordsThatAreNotThePromptAreNoted) {
  const Outcome outcome = run_program(greedy({"-p", "h", "more", "words"}));
  EXPECT_EQ(outcome.out, "A");
  EXPECT_THAT(outcome.err, HasSubstr("'more'"));
}

TEST_F(CommandLine, KeysInPlaceOfTheFiles) {
  EXPECT_THAT(run_program(greedy({"-p", "h", "--override-kv", "llama.context_length=int:77"})).err,
              HasSubstr("context: 77 "));
  EXPECT_THAT(run_program(greedy({"-p", "h", "--override-kv", "no.such=str:x"})).err,
              HasSubstr("'no.such' is not in the file"));
  EXPECT_EQ(run_program(greedy({"-p", "h", "--override-kv", "general.alignment=int:64"})).status, 1);
  EXPECT_EQ(run_program(greedy({"-p", "h", "--override-kv", "nonsense"})).status, 2);
}

TEST_F(CommandLine, ThreadsThatAreChosenGiveTheirReason) {
  const Outcome outcome = run_program(greedy({"--threads", "auto", "-p", "h"}));
  EXPECT_THAT(outcome.err, testing::ContainsRegex("threads: [0-9]+ \\(.+\\)"));
}

}  // namespace
}  // namespace armature::test
