// The formats of batched-bench, byte by byte.
#include "tools/batched_bench/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/batched_bench/result.h"

namespace armature::tools::batched {
namespace {

constexpr Settings kSettings = {.n_kv_max = 4096,
                                .n_batch = 128,
                                .n_ubatch = 512,
                                .flash_attn = 1,
                                .n_threads = 64,
                                .n_threads_batch = 63};

/// 4 sequences of 128 + 32 tokens, with the times given in milliseconds.
Result result(const std::vector<std::pair<int, int>>& times, const Mode& mode = {}) {
  Measurement measured;
  for (const auto& [prompt, generation] : times)
    measured.repetitions.push_back(
        {std::chrono::milliseconds(prompt), std::chrono::milliseconds(generation)});
  measured.n_pages = 12;
  return result_of({128, 32, 4}, mode, std::move(measured));
}

nlohmann::ordered_json json_of(const Result& result, const Settings& settings = kSettings) {
  const Origin origin = {"a\"b.gguf", "llama 8B", "0123456789abcdef", "fedcba9876543210"};
  return nlohmann::ordered_json::parse(
      jsonl_row(settings, cells_of(result), details_json(result, settings, origin)));
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

TEST(BatchedBenchTable, HeadAndRow) {
  const Result r = result({{2000, 1600}});
  EXPECT_EQ(
      markdown_head(kSettings, cells_of(r)),
      "main: n_kv_max = 4096, n_batch = 128, n_ubatch = 512, flash_attn = 1, is_pp_shared = 0, "
      "is_tg_separate = 0, n_gpu_layers = -1, n_threads = 64, n_threads_batch = 63\n"
      "\n"
      "|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s "
      "|\n"
      "|-------|--------|------|--------|----------|----------|----------|----------|----------|----------"
      "|\n");
  EXPECT_EQ(
      markdown_row(cells_of(r)),
      "|   128 |     32 |    4 |    640 |    2.000 |   256.00 |    1.600 |    80.00 |    3.600 |   177.78 "
      "|\n");
}

TEST(BatchedBenchTable, SharedPrompt) {
  EXPECT_EQ(
      markdown_row(cells_of(result({{500, 1600}}, {.shared_prompt = true}))),
      "|   128 |     32 |    4 |    256 |    0.500 |   256.00 |    1.600 |    80.00 |    2.100 |   121.90 "
      "|\n");
}

TEST(BatchedBenchTable, DeviationsOfSeveralRepetitions) {
  const Result r = result({{2000, 1600}, {1000, 1600}, {1600, 1600}});
  const std::string head = markdown_head(kSettings, cells_of(r));
  EXPECT_THAT(head, testing::HasSubstr("|    S t/s |    SD_PP |    SD_TG |       SD |\n"));
  // 256, 512 and 320 tokens/s in the prompts; 177.78, 246.15 and 200 in all.
  EXPECT_EQ(
      markdown_row(cells_of(r)),
      "|   128 |     32 |    4 |    640 |    1.533 |   333.91 |    1.600 |    80.00 |    3.133 |   204.26 "
      "|   133.23 |     0.00 |    34.88 |\n");
}

TEST(BatchedBenchTable, JsonKeysInOrder) {
  const std::vector<std::string> keys = {"n_kv_max",
                                         "n_batch",
                                         "n_ubatch",
                                         "flash_attn",
                                         "is_pp_shared",
                                         "n_gpu_layers",
                                         "n_threads",
                                         "n_threads_batch",
                                         "pp",
                                         "tg",
                                         "pl",
                                         "n_kv",
                                         "t_pp",
                                         "speed_pp",
                                         "t_tg",
                                         "speed_tg",
                                         "t",
                                         "speed"};
  std::vector<std::string> once = keys, often = keys;
  once.emplace_back("x");
  for (const char* key : {"stddev_pp", "stddev_tg", "stddev", "x"}) often.emplace_back(key);
  EXPECT_EQ(keys_of(json_of(result({{2000, 1600}}))), once);
  EXPECT_EQ(keys_of(json_of(result({{2000, 1600}, {1, 1}}))), often);
}

TEST(BatchedBenchTable, JsonBytes) {
  EXPECT_EQ(
      jsonl_row(kSettings, cells_of(result({{2000, 1600}})), "{}"),
      "{\"n_kv_max\": 4096, \"n_batch\": 128, \"n_ubatch\": 512, \"flash_attn\": 1, \"is_pp_shared\": 0, "
      "\"n_gpu_layers\": -1, \"n_threads\": 64, \"n_threads_batch\": 63, \"pp\": 128, \"tg\": 32, \"pl\": 4, "
      "\"n_kv\": 640, \"t_pp\": 2.000000, \"speed_pp\": 256.000000, \"t_tg\": 1.600000, \"speed_tg\": "
      "80.000000, \"t\": 3.600000, \"speed\": 177.777778, \"x\": {}}\n");
}

TEST(BatchedBenchTable, SpeedsFollowFromTheSamples) {
  const auto json = json_of(result({{2001, 1603}, {1999, 1607}}));
  const auto& samples = json["x"]["samples_ns"];
  const double prompt = (samples["pp"][0].get<double>() + samples["pp"][1].get<double>()) / 2e9;
  const double generation = (samples["tg"][0].get<double>() + samples["tg"][1].get<double>()) / 2e9;
  EXPECT_NEAR(json["speed_pp"].get<double>(), 512 / prompt, 5.1e-7);
  EXPECT_NEAR(json["speed_tg"].get<double>(), 128 / generation, 5.1e-7);
  EXPECT_NEAR(json["speed"].get<double>(), 640 / (prompt + generation), 5.1e-7);
  EXPECT_NEAR(json["t"].get<double>(), prompt + generation, 5.1e-7);
}

TEST(BatchedBenchTable, Details) {
  Settings settings = kSettings;
  settings.one_by_one = true;
  const auto x = json_of(result({{2000, 1600}}), settings)["x"];
  EXPECT_EQ(x["method"], 1);
  EXPECT_EQ(x["prompt_seed"], 42);
  EXPECT_EQ(x["is_tg_separate"], true);
  EXPECT_EQ(x["kv_pages"], 12);
  EXPECT_EQ(x["model"]["file"], "a\"b.gguf");
}

TEST(BatchedBenchTable, NothingToProcess) {
  const Result r = result_of({0, 0, 1}, {}, {.repetitions = {{}}, .n_pages = 0});
  EXPECT_EQ(
      markdown_row(cells_of(r)),
      "|     0 |      0 |    1 |      0 |    0.000 |     0.00 |    0.000 |     0.00 |    0.000 |     0.00 "
      "|\n");
}

TEST(BatchedBenchTable, Sweep) {
  Settings settings = kSettings;
  settings.is_sweep = true;
  Result r = {.row = {512, 128, 1}, .n_kv = 1024, .n_prompt_tokens = 512, .n_gen_tokens = 128};
  r.measured.repetitions = {{std::chrono::seconds(2), std::chrono::seconds(4)}};
  r.peak_rss = 3 << 19;
  EXPECT_EQ(markdown_head(settings, sweep_cells_of(r, false)),
            "main: n_kv_max = 4096, n_batch = 128, n_ubatch = 512, flash_attn = 1, n_gpu_layers = -1, "
            "n_threads = 64, n_threads_batch = 63\n"
            "\n"
            "|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |\n"
            "|-------|--------|--------|----------|----------|----------|----------|\n");
  EXPECT_EQ(markdown_row(sweep_cells_of(r, false)),
            "|   512 |    128 |   1024 |    2.000 |   256.00 |    4.000 |    32.00 |\n");
  EXPECT_EQ(
      markdown_row(sweep_cells_of(r, true)),
      "|   512 |    128 |   1024 |    2.000 |   256.00 |    4.000 |    32.00 |        1.5 |        n/a |\n");
  EXPECT_EQ(
      jsonl_row(settings, sweep_cells_of(r, true), "{}"),
      "{\"n_kv_max\": 4096, \"n_batch\": 128, \"n_ubatch\": 512, \"flash_attn\": 1, \"n_gpu_layers\": -1, "
      "\"n_threads\": 64, \"n_threads_batch\": 63, \"pp\": 512, \"tg\": 128, \"n_kv\": 1024, \"t_pp\": "
      "2.000000, \"speed_pp\": 256.000000, \"t_tg\": 4.000000, \"speed_tg\": 32.000000, \"rss_hwm_mib\": "
      "1.500000, \"vram_delta_mib\": null, \"x\": {}}\n");
}

}  // namespace
}  // namespace armature::tools::batched
