// bench as users run it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <sstream>
#include <thread>

#include "engine/machine.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// The machine is measured in tests of that alone.
Outcome bench(const Args& args) { return run_program(Args{"bench", "--no-roof"} + args); }

/// The column "test" of a table.
std::vector<std::string> tests_of(const std::string& table) {
  std::vector<std::string> out;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| llama")) continue;
    const std::size_t end = line.rfind(" |", line.rfind(" |") - 1);
    out.push_back(line.substr(line.rfind(' ', end - 1) + 1, end - line.rfind(' ', end - 1) - 1));
  }
  return out;
}

TEST(BenchCommand, PublishedLine) {
  const ModelFile smaller{TinyModel()};
  Args args = {"--threads", "2", "-pg", "256,1024", "--output", "md", "--no-warmup", "-r", "1"};
  if (program_is_emulated()) args = Args{"--model", smaller.path()} + args;
  const Outcome outcome = bench(args);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(tests_of(outcome.out), ElementsAre("pp512", "tg128", "pp256+tg1024"));
  EXPECT_EQ(outcome.err.find("error"), outcome.err.npos);
}

TEST(BenchCommand, TellsWhatMayNotHaveBeenMeant) {
  const Outcome built_in = bench({"-p", "600", "-n", "0", "-r", "1", "-t", "300"});
  EXPECT_EQ(built_in.status, 0);
  EXPECT_THAT(built_in.err, HasSubstr("note: neither -m nor --synth: the built-in model is measured\n"));
  EXPECT_THAT(built_in.err, HasSubstr("note: 300 threads take turns on the "));
  EXPECT_THAT(built_in.err, HasSubstr("note: pp600 takes 600 positions; the model's limit is 512\n"));
  const Outcome depth = bench({"-p", "4", "-n", "0", "-r", "1", "-d", "0,32", "--compat", "2025"});
  EXPECT_THAT(depth.err, HasSubstr("note: the fields of --compat 2025 do not show -d\n"));
  const ModelFile model{TinyModel()};
  EXPECT_EQ(
      model.command("bench", {"-p", "4", "-n", "0", "-r", "1", "-d", "0,32", "-t", "1", "--no-roof"}).err,
      "");
}

TEST(BenchCommand, EveryFormat) {
  const Args quick = {"-p", "8", "-n", "2", "-r", "2", "-d", "0,70"};
  EXPECT_EQ(bench(quick + Args{"-o", "json"}).json().size(), 4u);
  for (const std::string format : {"md", "csv", "jsonl", "sql"}) {
    const Outcome outcome = bench(quick + Args{"-o", format});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, HasSubstr("llama ?B Q8_0"));
  }
  const Outcome two = bench(quick + Args{"-o", "json", "-oe", "csv", "--progress"});
  EXPECT_EQ(two.json().size(), 4u);
  EXPECT_THAT(two.err, HasSubstr("build_commit,build_number,"));
  EXPECT_THAT(two.err, HasSubstr("test 4/4, tg2 @ d70: repetition 2/2"));
}

TEST(BenchCommand, Numbers) {
  const nlohmann::json json = bench({"-p", "0", "-n", "0",  "-pg",  "70,5", "-d",  "3", "-r", "3",
                                     "-t", "1", "-b", "16", "-ctk", "f32",  "-fa", "1", "-o", "jsonl"})
                                  .json();
  EXPECT_EQ(json["n_prompt"], 70);
  EXPECT_EQ(json["n_gen"], 5);
  EXPECT_EQ(json["n_depth"], 3);
  EXPECT_EQ(json["n_threads"], 1);
  EXPECT_EQ(json["n_batch"], 16);
  EXPECT_EQ(json["type_k"], "f32");
  EXPECT_EQ(json["flash_attn"], 1);
  EXPECT_EQ(json["model_filename"], "built-in");
  EXPECT_EQ(json["samples_ns"].size(), 3u);
  const nlohmann::json& x = json["x"];
  EXPECT_EQ(x["itl_ms"]["n"], 15);
  EXPECT_GT(x["ttft_ms"]["min"], 0);
  EXPECT_GT(x["read"]["gb_s"], 0);
  EXPECT_GT(x["load_s"]["open"], 0);
  EXPECT_EQ(x["threads"]["n"], 1);
  EXPECT_THAT(x["kernels"]["rows"].dump(), HasSubstr("matmul Q8_0, few rows"));
  EXPECT_EQ(x["model"]["hash"].get<std::string>().size(), 16u);
}

TEST(BenchCommand, DepthsAtTheEdgesOfPages) {
  const ModelFile model{TinyModel()};
  const Outcome outcome = model.command(
      "bench", {"-d", "0,1,64,65", "-p", "64,65", "-n", "1", "-pg", "63,65", "-r", "1", "-ub", "16"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(tests_of(outcome.out).size(), 4u * 4);
}

TEST(BenchCommand, SameModelSameHash) {
  const ModelFile file{TinyModel()};
  TinyConfig other;
  other.seed = 2;
  const ModelFile different{TinyModel(other)};
  const auto hash = [](const ModelFile& model) {
    return model.command("bench", {"--no-roof", "-p", "4", "-n", "0", "-r", "1", "-o", "jsonl"})
        .json()["x"]["model"]["hash"];
  };
  EXPECT_EQ(hash(file), hash(file));
  EXPECT_NE(hash(file), hash(different));
}

TEST(BenchCommand, SeveralModels) {
  const ModelFile file{TinyModel().set("general.file_type", 1u)};
  const Outcome outcome = bench({"-m", file.path() + "," + file.path(), "--synth", "tiny:q8_0", "-p", "4",
                                 "-n", "0", "-r", "1", "-lm", "none,mmap"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(tests_of(outcome.out).size(), 6u);
  EXPECT_THAT(outcome.out, HasSubstr("| llama ?B F16 "));
  EXPECT_THAT(outcome.out, HasSubstr("|         lm |"));
}

TEST(BenchCommand, FlagsOfGpusAreNotedOnce) {
  const Outcome outcome = bench({"-p",  "4", "-n",    "0", "-r",  "1",   "-ngl",  "99", "-sm",       "none",
                                 "-mg", "0", "-nkvo", "0", "-ts", "1/1", "-nopo", "1",  "--no-host", "0"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("note: ignored: -ngl, -sm, -mg, -nkvo, -ts, -nopo, --no-host (there is no GPU"));
  EXPECT_EQ(outcome.err.find("ignored"), outcome.err.rfind("ignored"));
}

TEST(BenchCommand, WrongCommandLines) {
  for (const Args& args : std::vector<Args>{{"--no-such-flag"},
                                            {"-p", "x"},
                                            {"-o", "xml"},
                                            {"-pg", "1"},
                                            {"word"},
                                            {"-mla", "3"},
                                            {"-C", "zz"},
                                            {"-C", "0xf0000000000000000000000000000000"},
                                            {"-hf", "user/repo"}}) {
    const Outcome outcome = bench(args);
    EXPECT_EQ(outcome.status, 2) << args.front();
    EXPECT_EQ(outcome.out, "") << args.front();
    EXPECT_THAT(outcome.err, HasSubstr("error: ")) << args.front();
  }
}

TEST(BenchCommand, FaultsOfTheModel) {
  const ModelFile good{TinyModel()};
  const Outcome missing = bench({"-m", "/no/such/file.gguf", "-o", "json"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.out, "");
  EXPECT_THAT(missing.err, HasSubstr("/no/such/file.gguf"));
  const Outcome second =
      bench({"-m", good.path() + ",/no/such/file.gguf", "-p", "4", "-n", "0", "-r", "1", "-o", "json"});
  EXPECT_EQ(second.status, 1);
  EXPECT_EQ(second.json().size(), 1u) << "what was measured is whole";
}

/// The records of a CSV text (RFC 4180), each with its fields.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      records.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      records.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      records.emplace_back(1);
    } else {
      records.back().back() += c;
    }
  }
  records.pop_back();
  return records;
}

TEST(BenchCommand, MachineReadableOutputStandsAlone) {
  const TempDir folder;
  const std::string odd = folder.write("a,b\"c\nd's.gguf", TinyModel());
  const ModelFile plain{TinyModel()};
  const Args args = {"-m", odd, "-m", plain.path(), "-p", "4", "-n", "2", "-r", "1", "-v", "-ngl", "1"};
  const auto json = bench(args + Args{"-o", "json"});
  ASSERT_EQ(json.json().size(), 4u);
  EXPECT_EQ(json.json()[1]["model_filename"], odd);
  EXPECT_EQ(json.json()[2]["model_filename"], plain.path());
  EXPECT_THAT(json.err, HasSubstr("kernel: "));

  const auto csv = parse_csv(bench(args + Args{"-o", "csv"}).out);
  ASSERT_EQ(csv.size(), 5u);
  for (const auto& fields : csv) EXPECT_EQ(fields.size(), 40u);
  EXPECT_EQ(csv[0][5], "model_filename");
  EXPECT_EQ(csv[2][5], odd);

  std::size_t n = 0;
  std::istringstream lines(bench(args + Args{"-o", "jsonl"}).out);
  for (std::string line; std::getline(lines, line); ++n)
    EXPECT_EQ(nlohmann::json::parse(line)["backends"], "CPU");
  EXPECT_EQ(n, 4u);
}

TEST(BenchCommand, ASecondCopyThatCannotBeWritten) {
  const Outcome outcome =
      run_program({.args = {"bench", "--no-roof", "-p", "4", "-n", "0", "-r", "1", "-oe", "csv"},
                   .in_child = [] { ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO); }});
  EXPECT_EQ(outcome.status, 1);
}

TEST(BenchCommand, PeakMemoryNeverFalls) {
  const Outcome outcome = bench({"-p", "64,8,5", "-n", "4", "-d", "0,7", "-r", "2", "-o", "json"});
  double last = 0;
  const nlohmann::json records = outcome.json();
  ASSERT_EQ(records.size(), 8u);
  for (const nlohmann::json& record : records) {
    const nlohmann::json& value = record["x"]["memory"]["peak_rss"]["value"];
    const double peak = value.is_null() ? last : value.get<double>();  // null: the system does not say
    EXPECT_GE(peak, last);
    last = peak;
  }
}

/// As llama-bench.
TEST(BenchCommand, TakesNoModelFromTheEnvironment) {
  const Outcome outcome =
      run_program({.args = {"bench", "--no-roof", "-p", "4", "-n", "0", "-r", "1"},
                   .environment = {{"LLAMA_ARG_MODEL", "/no/such/file"}, {"LLAMA_ARG_NUMA", "nonsense"}}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the built-in model is measured"));
}

TEST(BenchCommand, InterruptedWhileASyntheticModelIsMade) {
  Process process({.args = {"bench", "--no-roof", "--synth", "llama-3.2-1b:Q4_0"}});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.send(SIGINT);
  EXPECT_EQ(process.wait().status, 130);
}

TEST(BenchCommand, InterruptedBetweenTests) {
  Process process(
      {.args = {"bench", "--no-roof", "-p", "4", "-n", "4", "-r", "1", "--delay", "1", "-o", "json"}});
  ASSERT_TRUE(process.wait_for_output());
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.json().size(), 1u);
}

TEST(BenchCommand, WithoutRoofsSharesHaveAReason) {
  const Args both = {"-p", "0", "-n", "0", "-pg", "4,2", "-r", "1", "-o", "jsonl"};
  const nlohmann::json x = bench(both).json()["x"];
  for (const char* key : {"read_share", "compute_share"}) {
    EXPECT_EQ(x[key]["value"], nullptr) << key;
    EXPECT_EQ(x[key]["reason"], "it was not to be measured (--no-roof)") << key;
  }
}

// Reading more than the caches hold takes long where each access is checked or emulated.
#if defined(ARMATURE_SLOW_RUN)
constexpr bool kRoofsTakeLong = true;
#else
constexpr bool kRoofsTakeLong = false;
#endif

TEST(BenchCommand, SharesOfRoofs) {
  if (kRoofsTakeLong) GTEST_SKIP() << "takes long here";
  const ModelFile model{TinyModel()};
  const Outcome outcome =
      model.command("bench", {"-p", "8", "-n", "4", "-r", "1", "-o", "jsonl", "--progress"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("test 1/2, pp8: what the machine can do"));
  std::istringstream lines(outcome.out);
  std::string prompt, generation;
  std::getline(lines, prompt);
  std::getline(lines, generation);
  const auto compute = nlohmann::json::parse(prompt)["x"]["compute_share"];
  EXPECT_GT(compute["value"], 0) << compute;
  EXPECT_GT(compute["roof_gop_s"], 0);
  const auto read = nlohmann::json::parse(generation)["x"]["read_share"];
  EXPECT_GT(read["value"], 0) << read;
  EXPECT_THAT(read["pages"].get<std::string>(), HasSubstr("iB"));
  EXPECT_TRUE(read["other_pages"].contains("roof_gb_s") || read["other_pages"].contains("reason"));
  // What is read to measure the machine is some hundred megabytes, and does not count.
  const auto memory = nlohmann::json::parse(prompt)["x"]["memory"]["peak_rss"];
  EXPECT_TRUE(memory["value"].is_null() || memory["value"] < (200 << 20)) << memory;
}

TEST(BenchCommand, RoofsOfTheMachine) {
  if (kRoofsTakeLong) GTEST_SKIP() << "takes long here";
  const Outcome outcome = run_program({"bench", "--roof", "-t", "1", "-o", "json", "-oe", "md", "-p", "4"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("note: --roof runs no model; without effect: -p\n"));
  EXPECT_THAT(outcome.err, HasSubstr("| read, pages of "));
  const nlohmann::json json = outcome.json();
  EXPECT_GT(json["read"][0]["gb_s"], 0);
  EXPECT_GE(json["read"][0]["gb_s"], json["read"][0]["median_gb_s"]);
  for (const auto& entry : json["peak"]) EXPECT_TRUE(entry.contains("reason") || entry["gop_s"] > 0) << entry;
}

/// The numbers of threads in an array of roofs, each once.
std::vector<std::size_t> threads_of(const nlohmann::json& entries) {
  std::set<std::size_t> counts;
  for (const auto& entry : entries)
    if (entry.contains("threads")) counts.insert(entry["threads"].get<std::size_t>());
  return {counts.begin(), counts.end()};
}

TEST(BenchCommand, RoofsOfAllThreadsAndOfThoseAskedFor) {
  if (kRoofsTakeLong) GTEST_SKIP() << "takes long here";
  const std::size_t n = choose_threads().n_threads;
  if (n < 2) GTEST_SKIP() << "there is one CPU";
  const nlohmann::json all = run_program({"bench", "--roof", "-o", "json"}).json();
  EXPECT_EQ(threads_of(all["read"]).front(), 1u);
  EXPECT_EQ(threads_of(all["read"]).back(), n);
  EXPECT_THAT(threads_of(all["peak"]), ElementsAre(1u, n));
  const nlohmann::json two = run_program({"bench", "--roof", "-t", "2", "-o", "json"}).json();
  EXPECT_THAT(threads_of(two["read"]), ElementsAre(1u, 2u)) << "one to compare with";
}

TEST(BenchCommand, RoofsInterrupted) {
  if (kRoofsTakeLong) GTEST_SKIP() << "when it has begun is not to be seen from outside";
  Process process({.args = {"bench", "--roof"}});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.out, "");
}

TEST(BenchCommand, RoofsAsSqlAreRefused) {
  const Outcome outcome = run_program({"bench", "--roof", "-o", "sql"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("-o: value 'sql'; with --roof allowed: md, csv, json, jsonl"));
}

TEST(BenchCommand, RoofsNeedMemory) {
  if (kRoofsTakeLong) GTEST_SKIP() << "sanitizers and emulators need more address space themselves";
  const auto limit_memory = [] {
    const rlimit limit{120 << 20, 120 << 20};
    ::setrlimit(RLIMIT_AS, &limit);
  };
  const Outcome alone = run_program({.args = {"bench", "--roof"}, .in_child = limit_memory});
  EXPECT_EQ(alone.status, 1);
  EXPECT_THAT(alone.err,
              HasSubstr("error: reading memory is measured on more than the last-level caches hold"));
  const Outcome beside = run_program(
      {.args = {"bench", "-p", "4", "-n", "0", "-r", "1", "-o", "jsonl"}, .in_child = limit_memory});
  ASSERT_EQ(beside.status, 0) << beside.err;
  EXPECT_THAT(beside.json()["x"]["compute_share"]["reason"].get<std::string>(),
              HasSubstr("there is room for"));
}

TEST(BenchCommand, Help) {
  const Outcome outcome = bench({"-h"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("-pg P,G"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("-mla")));
}

}  // namespace
}  // namespace armature::test
