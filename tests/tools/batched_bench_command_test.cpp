// batched-bench as users run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <sstream>

#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Outcome batched_bench(const Args& args) { return run_program(Args{"batched-bench"} + args); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  return out;
}

/// The first `n` columns of a table's rows.
std::vector<std::vector<int>> rows_of(const std::string& table, std::size_t n) {
  std::vector<std::vector<int>> rows;
  for (const std::string& line : lines_of(table)) {
    if (!line.starts_with('|') || line.find_first_of("0123456789") == line.npos) continue;
    std::istringstream cells(line);
    std::vector<int> row(n);
    char bar = 0;
    for (int& cell : row) cells >> bar >> cell;
    rows.push_back(row);
  }
  return rows;
}

std::vector<nlohmann::json> objects_of(const std::string& jsonl) {
  std::vector<nlohmann::json> out;
  for (const std::string& line : lines_of(jsonl)) out.push_back(nlohmann::json::parse(line));
  return out;
}

TEST(BatchedBenchCommand, PublishedLine) {
  const ModelFile smaller{TinyModel()};
  Args args = {"--threads",
               "2",
               "--threads-batch",
               "2",
               "--batch-size",
               "128",
               "-npp",
               "128",
               "-ntg",
               "128",
               "-npl",
               "1,2,4,8,16",
               "--ctx-size",
               "4096",
               "--flash-attn",
               "enabled",
               "--output-format",
               "md",
               "--mlock"};
  if (program_is_emulated()) args = Args{"--model", smaller.path()} + args;
  const Outcome outcome = batched_bench(args);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(rows_of(outcome.out, 4),
              ElementsAre(ElementsAre(128, 128, 1, 256), ElementsAre(128, 128, 2, 512),
                          ElementsAre(128, 128, 4, 1024), ElementsAre(128, 128, 8, 2048),
                          ElementsAre(128, 128, 16, 4096)));
  EXPECT_THAT(outcome.out,
              StartsWith("main: n_kv_max = 4096, n_batch = 128, n_ubatch = 512, flash_attn = 1, "
                         "is_pp_shared = 0, is_tg_separate = 0, n_gpu_layers = -1, n_threads = 2, "
                         "n_threads_batch = 2\n\n|    PP | "));
}

class BatchedBenchTiny : public testing::Test {
 protected:
  Outcome run(const Args& args) const { return model_.command("batched-bench", Args{"-c", "512"} + args); }
  std::vector<nlohmann::json> objects(const Args& args) const {
    const Outcome outcome = run(args + Args{"--output-format", "jsonl"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return objects_of(outcome.out);
  }

  const ModelFile model_{TinyModel()};
};

TEST_F(BatchedBenchTiny, ListsMayBeRepeated) {
  const Outcome outcome = run({"-npp", "8,16", "-ntg", "4", "-npl", "1", "-npl", "2", "-npp", "3"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(rows_of(outcome.out, 4),
              ElementsAre(ElementsAre(8, 4, 1, 12), ElementsAre(8, 4, 2, 24), ElementsAre(16, 4, 1, 20),
                          ElementsAre(16, 4, 2, 40), ElementsAre(3, 4, 1, 7), ElementsAre(3, 4, 2, 14)));
}

TEST_F(BatchedBenchTiny, RowsThatDoNotFitAreSkipped) {
  const Outcome outcome = run({"-npp", "100", "-ntg", "28", "-npl", "3,4,5,9"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(rows_of(outcome.out, 4),
              ElementsAre(ElementsAre(100, 28, 3, 384), ElementsAre(100, 28, 4, 512)));
  EXPECT_THAT(outcome.err, HasSubstr("skipped: PP 100, TG 28, B 5: 640 cells are needed, 512 are there\n"));
  EXPECT_THAT(outcome.err, HasSubstr("skipped: PP 100, TG 28, B 9: 1152 cells are needed, 512 are there\n"));
  EXPECT_THAT(outcome.err, HasSubstr("note: 2 of 4 rows skipped; -c 1152 or more would hold them all\n"));
}

TEST_F(BatchedBenchTiny, PagesAreShared) {
  const Args row = {"-npp", "130", "-ntg", "40", "-npl", "3"};
  const auto apart = objects(row).at(0), shared = objects(row + Args{"-pps"}).at(0);
  EXPECT_EQ(apart["n_kv"], 510);
  EXPECT_EQ(apart["x"]["kv_pages"], 3 * 3);
  EXPECT_EQ(shared["is_pp_shared"], 1);
  EXPECT_EQ(shared["n_kv"], 250);
  EXPECT_EQ(shared["x"]["kv_pages"], 2 + 3) << "two whole pages for all, one for the end of each";
}

// As many pages as can be: the shared prompt ends just short of a page, each answer just beyond the next.
TEST_F(BatchedBenchTiny, SharedPagesFitWhereTheirCellsDo) {
  const Args args = {"-npp", "63", "-ntg", "66", "-pps", "-r", "2"};
  const Outcome outcome =
      model_.command("batched-bench", args + Args{"-npl", "16", "-c", std::to_string(63 + 16 * 66)});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(rows_of(outcome.out, 4).size(), 1u);
}

TEST_F(BatchedBenchTiny, MoreSequencesThanAPassHasRows) {
  const auto rows = objects({"-npp", "5", "-ntg", "3", "-npl", "40", "-b", "16", "-ub", "7"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["n_batch"], 16);
  EXPECT_EQ(rows[0]["n_ubatch"], 7);
  EXPECT_EQ(rows[0]["x"]["kv_pages"], 40);
}

TEST_F(BatchedBenchTiny, OneSequenceAfterTheOther) {
  const Outcome outcome = run({"-npp", "5", "-ntg", "3", "-npl", "4", "-tgs"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("is_tg_separate = 1,"));
  EXPECT_EQ(objects({"-npp", "5", "-ntg", "3", "-npl", "4", "-tgs"}).at(0)["x"]["is_tg_separate"], true);
}

TEST_F(BatchedBenchTiny, DeviationsOnlyWhenAskedFor) {
  const Args row = {"-npp", "5", "-ntg", "3", "-npl", "2"};
  EXPECT_FALSE(objects(row).at(0).contains("stddev"));
  const auto often = objects(row + Args{"-r", "3"}).at(0);
  EXPECT_GT(often["stddev"], 0);
  EXPECT_EQ(often["x"]["samples_ns"]["tg"].size(), 3u);
  EXPECT_THAT(run(row + Args{"-r", "3"}).out, HasSubstr("|    SD_PP |    SD_TG |       SD |\n"));
}

TEST_F(BatchedBenchTiny, NothingOfOneKind) {
  const auto rows = objects({"-npp", "0,4", "-ntg", "0,4", "-npl", "2"});
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["n_kv"], 0);
  EXPECT_EQ(rows[1]["speed_pp"], 0);
  EXPECT_GT(rows[1]["speed_tg"], 0);
  EXPECT_GT(rows[2]["speed_pp"], 0);
  EXPECT_EQ(rows[2]["speed_tg"], 0);
}

TEST_F(BatchedBenchTiny, ContextOfTheModel) {
  const Outcome outcome = model_.command("batched-bench", {"-npp", "64", "-ntg", "64", "-npl", "1,2"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("main: n_kv_max = 128, "));
  EXPECT_THAT(rows_of(outcome.out, 4), ElementsAre(ElementsAre(64, 64, 1, 128)));
}

TEST_F(BatchedBenchTiny, WithoutRows) {
  const Outcome outcome = run({"-npp", "8", "-npl", "1"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(rows_of(outcome.out, 4), IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("note: there are no rows: -npp, -ntg and -npl are all needed\n"));
}

TEST_F(BatchedBenchTiny, Sweep) {
  const Args args = {"--sweep", "-c", "300", "-ub", "64", "--sweep-memory", "-wb"};
  const Outcome outcome = run(args);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("main: n_kv_max = 300, n_batch = 2048, n_ubatch = 64, flash_attn = -1, "
                                      "n_gpu_layers = -1, "));
  EXPECT_THAT(rows_of(outcome.out, 3), ElementsAre(ElementsAre(64, 16, 0), ElementsAre(64, 16, 64),
                                                   ElementsAre(64, 16, 128), ElementsAre(64, 16, 192)));
  EXPECT_THAT(outcome.err, HasSubstr("skipped: N_KV 256: 320 cells are needed, 300 are there\n"));
  const auto rows = objects(args + Args{"-n", "5", "--sweep-stride", "3", "-nrep", "2"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["n_kv"], 192);
  EXPECT_EQ(rows[1]["tg"], 5);
  EXPECT_GT(rows[1]["rss_hwm_mib"], 0);
  EXPECT_TRUE(rows[1]["vram_delta_mib"].is_null());
  EXPECT_EQ(rows[1]["x"]["kv_pages"], 4);
}

TEST_F(BatchedBenchTiny, FlagsWithoutEffectAreTold) {
  const Outcome gpu =
      run({"-npp", "4", "-ntg", "2", "-npl", "1", "-ngl", "99", "-sm", "none", "-mg", "0", "-n", "7"});
  EXPECT_EQ(gpu.status, 0);
  EXPECT_THAT(gpu.err, HasSubstr("note: ignored: -ngl, -sm, -mg (there is no GPU"));
  EXPECT_THAT(gpu.err, HasSubstr("note: -n has no effect without --sweep\n"));
  const Outcome pool = run({"-npp", "4", "-ntg", "2", "-npl", "1", "-kvu", "-no-kvu", "-np", "4"});
  EXPECT_EQ(pool.status, 0);
  EXPECT_THAT(pool.err, HasSubstr("note: ignored: -kvu, -no-kvu (sequences always share one pool of pages)"));
  const Outcome sweep = run({"--sweep", "-ub", "256", "-npp", "4", "-pps"});
  EXPECT_EQ(sweep.status, 0);
  EXPECT_THAT(sweep.err, HasSubstr("note: -npp has no effect with --sweep\n"));
  EXPECT_THAT(sweep.err, HasSubstr("note: -pps has no effect with --sweep\n"));
}

TEST_F(BatchedBenchTiny, VariablesOfTheEnvironment) {
  const Outcome outcome = run_program({.args = {"batched-bench", "-npp", "4", "-ntg", "2", "-npl", "1"},
                                       .environment = {{"LLAMA_ARG_MODEL", model_.path()},
                                                       {"LLAMA_ARG_CTX_SIZE", "77"},
                                                       {"LLAMA_ARG_BATCH", "33"},
                                                       {"LLAMA_ARG_UBATCH", "22"},
                                                       {"LLAMA_ARG_THREADS", "1"},
                                                       {"LLAMA_ARG_FLASH_ATTN", "off"}}});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              StartsWith("main: n_kv_max = 77, n_batch = 33, n_ubatch = 22, flash_attn = 0, "
                         "is_pp_shared = 0, is_tg_separate = 0, n_gpu_layers = -1, n_threads = 1, "));
}

TEST_F(BatchedBenchTiny, WrongCommandLines) {
  for (const Args& args : std::vector<Args>{{"--no-such-flag"},
                                            {"-npp", "x"},
                                            {"-npl", "0"},
                                            {"-ntg", "-1"},
                                            {"--output-format", "csv"},
                                            {"-r", "0"},
                                            {"word"},
                                            {"-C", "zz"},
                                            {"-ctk", "q8_0"},
                                            {"-hf", "user/repo"}}) {
    const Outcome outcome = run(args);
    EXPECT_EQ(outcome.status, 2) << args.front();
    EXPECT_EQ(outcome.out, "") << args.front();
    EXPECT_THAT(outcome.err, HasSubstr("error: ")) << args.front();
  }
}

TEST(BatchedBenchCommand, FaultsOfTheModel) {
  const Outcome missing = batched_bench({"-m", "/no/such/file.gguf", "-npp", "4", "-ntg", "2", "-npl", "1"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.out, "");
  EXPECT_THAT(missing.err, HasSubstr("/no/such/file.gguf"));
}

TEST(BatchedBenchCommand, InterruptedBetweenRows) {
  Process process({.args = {"batched-bench", "-npp", "4", "-ntg", "4,1000000", "-npl", "1", "-c", "1000004",
                            "--output-format", "jsonl"}});
  ASSERT_TRUE(process.wait_for_output());
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.json()["tg"], 4);
}

}  // namespace
}  // namespace armature::test
