// The formats of bench, for records made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/bench/build_info.h"
#include "tools/bench/printer.h"
#include "tools/bench/statistics.h"

namespace armature::tools::bench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

Record made_up_record() {
  Record r;
  r.host.cpu_info = "Neoverse-N2 r0p0";
  r.host.affinity = "0-3";
  r.model = {
      "dir/it's \"mine\".gguf", "llama 8B Q4_K - Medium", 4912898304, 8030261312, "0123456789abcdef", {}};
  r.model.traffic = {4000000000, 7000000000, 500000000};
  r.test.n_prompt = 256;
  r.test.n_gen = 4;
  r.n_threads = 64;
  r.test_time = "2026-08-22T10:20:30Z";
  r.repetitions = {
      {nanoseconds(1000000007),
       {nanoseconds(30000001), nanoseconds(31000000), nanoseconds(30500000), nanoseconds(29999999)}},
      {nanoseconds(1100000003),
       {nanoseconds(33000000), nanoseconds(31000000), nanoseconds(30700000), nanoseconds(35000000)}},
      {nanoseconds(990000001),
       {nanoseconds(30000001), nanoseconds(31000000), nanoseconds(30500000), nanoseconds(29999999)}}};
  r.details.kv_bytes_per_token = 16777216;
  return r;
}

std::string printed(std::string_view format, const std::vector<Record>& records,
                    Compat compat = Compat::Year2026) {
  std::vector<Test> tests;
  for (const Record& record : records) tests.push_back(record.test);
  const auto printer = make_printer(format, tests, compat);
  std::string text = printer->head();
  for (const Record& record : records) text += printer->row(record);
  return text + printer->foot();
}

struct Key {
  std::string_view name;
  Json::value_t type;
};
constexpr auto kText = Json::value_t::string, kReal = Json::value_t::number_float;
constexpr auto kInt = Json::value_t::number_unsigned, kFlag = Json::value_t::boolean;
constexpr auto kList = Json::value_t::array;

const std::vector<Key> kKeys2026 = {{"build_commit", kText},
                                    {"build_number", kInt},
                                    {"cpu_info", kText},
                                    {"gpu_info", kText},
                                    {"backends", kText},
                                    {"model_filename", kText},
                                    {"model_type", kText},
                                    {"model_size", kInt},
                                    {"model_n_params", kInt},
                                    {"n_batch", kInt},
                                    {"n_ubatch", kInt},
                                    {"n_threads", kInt},
                                    {"cpu_mask", kText},
                                    {"cpu_strict", kFlag},
                                    {"poll", kInt},
                                    {"type_k", kText},
                                    {"type_v", kText},
                                    {"n_gpu_layers", Json::value_t::number_integer},
                                    {"n_cpu_moe", kInt},
                                    {"split_mode", kText},
                                    {"main_gpu", kInt},
                                    {"no_kv_offload", kFlag},
                                    {"flash_attn", Json::value_t::number_integer},
                                    {"devices", kText},
                                    {"tensor_split", kText},
                                    {"tensor_buft_overrides", kText},
                                    {"load_mode", kText},
                                    {"embeddings", kFlag},
                                    {"no_op_offload", kInt},
                                    {"no_host", kFlag},
                                    {"fit_target", kInt},
                                    {"fit_min_ctx", kInt},
                                    {"n_prompt", kInt},
                                    {"n_gen", kInt},
                                    {"n_depth", kInt},
                                    {"test_time", kText},
                                    {"avg_ns", kInt},
                                    {"stddev_ns", kInt},
                                    {"avg_ts", kReal},
                                    {"stddev_ts", kReal},
                                    {"samples_ns", kList},
                                    {"samples_ts", kList},
                                    {"x", Json::value_t::object}};
const std::vector<Key> kKeys2025 = {{"build_commit", kText},
                                    {"build_number", kInt},
                                    {"cpu_info", kText},
                                    {"gpu_info", kText},
                                    {"backends", kText},
                                    {"model_filename", kText},
                                    {"model_type", kText},
                                    {"model_size", kInt},
                                    {"model_n_params", kInt},
                                    {"n_batch", kInt},
                                    {"n_ubatch", kInt},
                                    {"n_threads", kInt},
                                    {"cpu_mask", kText},
                                    {"cpu_strict", kFlag},
                                    {"poll", kInt},
                                    {"type_k", kText},
                                    {"type_v", kText},
                                    {"n_gpu_layers", kInt},
                                    {"split_mode", kText},
                                    {"main_gpu", kInt},
                                    {"no_kv_offload", kFlag},
                                    {"flash_attn", kFlag},
                                    {"tensor_split", kText},
                                    {"use_mmap", kFlag},
                                    {"embeddings", kFlag},
                                    {"n_prompt", kInt},
                                    {"n_gen", kInt},
                                    {"test_time", kText},
                                    {"avg_ns", kInt},
                                    {"stddev_ns", kInt},
                                    {"avg_ts", kReal},
                                    {"stddev_ts", kReal},
                                    {"samples_ns", kList},
                                    {"samples_ts", kList},
                                    {"x", Json::value_t::object}};

void expect_schema(const Json& object, const std::vector<Key>& keys) {
  ASSERT_EQ(object.size(), keys.size());
  std::size_t i = 0;
  for (const auto& [name, value] : object.items()) {
    EXPECT_EQ(name, keys[i].name);
    EXPECT_EQ(value.type(), keys[i].type) << name;
    ++i;
  }
}

TEST(BenchFormats, JsonHasEveryKeyInOrder) {
  const Json both = Json::parse(printed("json", {made_up_record(), made_up_record()}));
  ASSERT_EQ(both.size(), 2u);
  expect_schema(both[0], kKeys2026);
  expect_schema(both[1], kKeys2026);
  expect_schema(Json::parse(printed("json", {made_up_record()}, Compat::Year2025))[0], kKeys2025);
  EXPECT_EQ(Json::parse(printed("json", {})), Json::array());
}

TEST(BenchFormats, JsonLines) {
  std::istringstream lines(printed("jsonl", {made_up_record(), made_up_record()}));
  std::size_t n = 0;
  for (std::string line; std::getline(lines, line); ++n) expect_schema(Json::parse(line), kKeys2026);
  EXPECT_EQ(n, 2u);
  EXPECT_EQ(printed("jsonl", {}), "");
}

TEST(BenchFormats, ValuesOfJson) {
  const Json json = Json::parse(printed("json", {made_up_record()}))[0];
  EXPECT_EQ(json["build_commit"], build_commit());
  EXPECT_EQ(json["cpu_info"], "Neoverse-N2 r0p0");
  EXPECT_EQ(json["gpu_info"], "");
  EXPECT_EQ(json["backends"], "CPU");
  EXPECT_EQ(json["model_filename"], "dir/it's \"mine\".gguf");
  EXPECT_EQ(json["n_gpu_layers"], -1);
  EXPECT_EQ(json["flash_attn"], -1);
  EXPECT_EQ(json["tensor_split"], "0.00");
  EXPECT_EQ(json["load_mode"], "auto");
  EXPECT_EQ(json["n_threads"], 64);
  EXPECT_EQ(json["samples_ns"], Json({1121500007, 1229700003, 1111500001}));
}

TEST(BenchFormats, ValuesOf2025) {
  Record record = made_up_record();
  const auto json = [&] { return Json::parse(printed("json", {record}, Compat::Year2025))[0]; };
  EXPECT_EQ(json()["use_mmap"], true);
  EXPECT_EQ(json()["flash_attn"], true) << "auto became on";
  record.test.flash_attn = 0;
  record.test.load_mode = "none";
  EXPECT_EQ(json()["use_mmap"], false);
  EXPECT_EQ(json()["flash_attn"], false);
}

std::string as_printed(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.6f", value);
  return text.data();
}

TEST(BenchFormats, DerivedValuesFollowFromTheSamples) {
  const std::string text = printed("json", {made_up_record()});
  const Json json = Json::parse(text)[0];
  std::vector<double> times, speeds;
  for (const auto& sample : json["samples_ns"]) {
    times.push_back(sample.get<double>());
    speeds.push_back(1e9 * 260 / times.back());
  }
  EXPECT_EQ(json["avg_ns"], std::llround(mean(times)));
  EXPECT_EQ(json["stddev_ns"], std::llround(standard_deviation(times)));
  EXPECT_THAT(text, HasSubstr("\"avg_ts\": " + as_printed(mean(speeds)) + ","));
  EXPECT_THAT(text, HasSubstr("\"stddev_ts\": " + as_printed(standard_deviation(speeds)) + ","));
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    std::ostringstream six;
    six << speeds[i];
    EXPECT_EQ(json["samples_ts"][i], std::stod(six.str()));
  }
  const Json& x = json["x"];
  EXPECT_EQ(x["ts"]["median"], spread(speeds).median);
  EXPECT_EQ(x["ts"]["ci95"]["low"], interval_95(speeds)->low);
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(x["prompt"]["samples_ns"][i].get<double>() + x["generation"]["samples_ns"][i].get<double>(),
              times[i]);
  }
}

TEST(BenchFormats, BytesAndOperations) {
  Record record = made_up_record();
  record.details.read_bandwidth = {300e9, "", "4 KiB"};
  record.details.read_bandwidth_other_pages = {std::nullopt, "there are none", "huge"};
  const Json x = Json::parse(details_json(record, -1));
  double sum = 0;
  for (const Repetition& r : record.repetitions) sum += static_cast<double>(r.generation().count());
  const double rate = (4000000000.0 + 16777216) / (sum / 12);  // bytes per ns
  EXPECT_DOUBLE_EQ(x["read"]["gb_s"], rate);
  EXPECT_DOUBLE_EQ(x["read_share"]["value"], rate / 300);
  EXPECT_EQ(x["read_share"]["roof_gb_s"], 300.0);
  EXPECT_EQ(x["read_share"]["pages"], "4 KiB");
  EXPECT_EQ(x["read_share"]["other_pages"]["reason"], "there are none");
  EXPECT_EQ(x["compute"]["multiply_adds"], 256 * 7000000000 + 500000000);
  EXPECT_EQ(x["compute_share"]["value"], nullptr);
}

TEST(BenchFormats, SharesFollowFromRatesAndRoofs) {
  Record record = made_up_record();
  record.details.read_bandwidth = {300e9, "", "2 MiB"};
  record.details.read_bandwidth_other_pages = {250e9, "", "4 KiB"};
  record.details.peak_rate = {4e12, "", "int8 i8mm"};
  const Json x = Json::parse(details_json(record, -1));
  EXPECT_EQ(x["compute_share"]["roof"], "int8 i8mm");
  EXPECT_EQ(x["compute_share"]["roof_gop_s"], 8000.0);
  EXPECT_DOUBLE_EQ(x["compute_share"]["value"], x["compute"]["gop_s"].get<double>() / 8000);
  const double rate = x["read"]["gb_s"];
  EXPECT_DOUBLE_EQ(x["read_share"]["value"], rate / 300);
  EXPECT_DOUBLE_EQ(x["read_share"]["other_pages"]["value"], rate / 250);
  EXPECT_EQ(x["read_share"]["other_pages"]["pages"], "4 KiB");
}

TEST(BenchFormats, WhatIsNotThereHasAReason) {
  Record record = made_up_record();
  record.test.n_prompt = 0;
  record.repetitions = {{nanoseconds(0), {nanoseconds(5), nanoseconds(6), nanoseconds(7), nanoseconds(8)}}};
  Json x = Json::parse(details_json(record, -1));
  for (const char* key :
       {"prompt", "ttft_ms", "compute", "compute_share", "clock_mhz", "throttled", "joules_per_token",
        "output_check", "read_share", "temperature_c", "cooling", "quota_throttled", "steal"}) {
    EXPECT_EQ(x[key]["value"], nullptr) << key;
    EXPECT_NE(x[key]["reason"], "") << key;
  }
  EXPECT_EQ(x["ts"]["ci95"]["value"], nullptr);
  record.test = made_up_record().test;
  record.test.n_gen = 0;
  record.repetitions = {{nanoseconds(5), {}}};
  x = Json::parse(details_json(record, -1));
  for (const char* key : {"generation", "itl_ms", "read"}) EXPECT_EQ(x[key]["value"], nullptr) << key;
}

TEST(BenchFormats, Csv) {
  std::istringstream lines(printed("csv", {made_up_record()}));
  std::string head, row;
  std::getline(lines, head);
  std::getline(lines, row);
  EXPECT_THAT(head, StartsWith("build_commit,build_number,cpu_info,gpu_info,backends,model_filename,"));
  EXPECT_EQ(std::count(head.begin(), head.end(), ','), 39);
  EXPECT_TRUE(head.ends_with(",avg_ts,stddev_ts"));
  EXPECT_THAT(row, HasSubstr(R"(,"dir/it's ""mine"".gguf","llama 8B Q4_K - Medium","4912898304",)"));
  EXPECT_THAT(row, HasSubstr(R"(,"0x0","0","50","f16","f16","-1","0","layer","0","0","-1","auto",)"));
}

TEST(BenchFormats, Sql) {
  const std::string text = printed("sql", {made_up_record()});
  EXPECT_THAT(text, StartsWith("CREATE TABLE IF NOT EXISTS llama_bench (\n  build_commit TEXT,\n"
                               "  build_number INTEGER,\n"));
  EXPECT_THAT(text,
              HasSubstr("  avg_ts REAL,\n  stddev_ts REAL\n);\n\nINSERT INTO llama_bench (build_commit, "));
  EXPECT_THAT(text, HasSubstr("  cpu_strict INTEGER,\n"));
  EXPECT_THAT(text, HasSubstr(", 'dir/it''s \"mine\".gguf', "));
  EXPECT_TRUE(text.ends_with("');\n"));
}

TEST(BenchFormats, Markdown) {
  Record record = made_up_record();
  record.test.n_gen = 0;
  for (Repetition& repetition : record.repetitions) repetition = {nanoseconds(1000000000), {}};
  const std::string build =
      "\nbuild: " + std::string(build_commit()) + " (" + std::to_string(build_number()) + ")\n";
  EXPECT_EQ(
      printed("md", {record}),
      "| model                          |       size |     params | backend    | threads |            test |"
      "                  t/s |\n"
      "| ------------------------------ | ---------: | ---------: | ---------- | ------: | --------------: |"
      " -------------------: |\n"
      "| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CPU        |      64 |           pp256 |"
      "        256.00 ± 0.00 |\n" +
          build);
  record.model.bytes = 96576768;
  record.model.n_params = 134515008;
  record.test.n_depth = 64;
  record.test.flash_attn = 1;
  record.test.type_k = "f32";
  record.test.cpu_mask = "3";
  record.test.cpu_strict = true;
  record.test.poll = 0;
  record.test.n_batch = 128;
  record.test.n_ubatch = 64;
  record.test.load_mode = "none";
  EXPECT_EQ(printed("md", {record}),
            "| model                          |       size |     params | backend    | threads | cpu_mask   |"
            " cpu_strict |       poll | n_batch | n_ubatch | type_k |  fa |         lm |            test |"
            "                  t/s |\n"
            "| ------------------------------ | ---------: | ---------: | ---------- | ------: | ---------- |"
            " ---------: | ---------: | ------: | -------: | -----: | --: | ---------: | --------------: |"
            " -------------------: |\n"
            "| llama 8B Q4_K - Medium         |  92.10 MiB |   134.52 M | CPU        |      64 | 3          |"
            "          1 |          0 |     128 |       64 |    f32 |   1 |       none |     pp256 @ d64 |"
            "        256.00 ± 0.00 |\n" +
                build);
  EXPECT_THAT(printed("md", {record}, Compat::Year2025), HasSubstr("|  fa |       mmap |"));
}

TEST(BenchFormats, ColumnsOfOneTestAreThereForAll) {
  Record record = made_up_record(), other = record;
  other.test.n_ubatch = 64;
  EXPECT_THAT(printed("md", {record, other}), HasSubstr("| n_ubatch |"));
  EXPECT_THAT(printed("md", {record, other}), HasSubstr("|      512 |       pp256+tg4 |"));
}

}  // namespace
}  // namespace armature::tools::bench
