// Which tests a command line of bench asks for, and in which order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gguf/compose.h"
#include "tests/support/temp_dir.h"
#include "tools/bench/options.h"

namespace armature::tools::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Test> tests_of(const std::vector<std::string_view>& args) {
  return list_tests(read_lists(Arguments::parse(kBench, args)));
}

std::vector<std::string> labels(const std::vector<std::string_view>& args) {
  std::vector<std::string> out;
  for (const Test& test : tests_of(args)) out.push_back(label(test));
  return out;
}

std::string refusal(const std::vector<std::string_view>& args) {
  try {
    tests_of(args);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(BenchLists, Defaults) {
  const auto tests = tests_of({});
  ASSERT_EQ(tests.size(), 2u);
  EXPECT_EQ(label(tests[0]), "pp512");
  EXPECT_EQ(label(tests[1]), "tg128");
  for (const auto& test : tests) {
    EXPECT_EQ(test.model, ModelChoice());
    EXPECT_EQ(test.n_batch, 2048u);
    EXPECT_EQ(test.n_ubatch, 512u);
    EXPECT_EQ(test.n_threads, 0u);
    EXPECT_EQ(test.flash_attn, -1);
    EXPECT_EQ(test.poll, 50u);
    EXPECT_EQ(test.load_mode, "auto");
    EXPECT_EQ(test.cpu_mask, "0x0");
  }
}

TEST(BenchLists, PublishedLines) {
  EXPECT_THAT(labels({"--model", "F", "--threads", "64", "-pg", "256,1024", "--output", "md"}),
              ElementsAre("pp512", "tg128", "pp256+tg1024"));
  EXPECT_THAT(labels({"-m", "F", "-pg", "256,1024", "-t", "64", "-o", "md"}),
              ElementsAre("pp512", "tg128", "pp256+tg1024"));
}

TEST(BenchLists, ZeroRemovesATest) {
  EXPECT_THAT(labels({"-p", "0"}), ElementsAre("tg128"));
  EXPECT_THAT(labels({"-n", "0"}), ElementsAre("pp512"));
  EXPECT_THAT(labels({"-p", "0", "-n", "0", "-pg", "8,0"}), ElementsAre("pp8"));
  EXPECT_TRUE(tests_of({"-p", "0", "-n", "0"}).empty());
}

TEST(BenchLists, PromptsThenGenerationThenBoth) {
  EXPECT_THAT(labels({"-gp", "64,4", "-pg", "8,2", "-pg", "4,1", "-n", "16,32", "-p", "8", "-p", "16"}),
              ElementsAre("pp8", "pp16", "tg16", "tg32", "pp8+tg2", "pp4+tg1", "tg4 @ d64"));
}

TEST(BenchLists, DepthsAreOutsideOfTheTests) {
  EXPECT_THAT(labels({"-p", "8", "-n", "2", "-gp", "10,2", "-d", "0,100-200*2"}),
              ElementsAre("pp8", "tg2", "tg2 @ d10", "pp8 @ d100", "tg2 @ d100", "tg2 @ d110", "pp8 @ d200",
                          "tg2 @ d200", "tg2 @ d210"));
}

/// One of a test's settings as text.
using Show = std::string (*)(const Test&);
struct List {
  std::string_view flag, values;
  Show show;
};
constexpr List kLists[] = {
    // outermost first
    {"-m", "b,a", [](const Test& t) { return t.model.text; }},
    {"-lm", "none,mmap", [](const Test& t) { return t.load_mode; }},
    {"-b", "128,64", [](const Test& t) { return compose("{}", t.n_batch); }},
    {"-ub", "32,16", [](const Test& t) { return compose("{}", t.n_ubatch); }},
    {"-ctk", "f32,f16", [](const Test& t) { return t.type_k; }},
    {"-ctv", "f32,f16", [](const Test& t) { return t.type_v; }},
    {"-fa", "1,0", [](const Test& t) { return compose("{}", t.flash_attn); }},
    {"-t", "2,1", [](const Test& t) { return compose("{}", t.n_threads); }},
    {"-C", "3,1", [](const Test& t) { return t.cpu_mask; }},
    {"--cpu-strict", "1,0", [](const Test& t) { return compose("{}", static_cast<int>(t.cpu_strict)); }},
    {"-d", "9,5", [](const Test& t) { return compose("{}", t.n_depth); }},
    {"--poll", "70,0", [](const Test& t) { return compose("{}", t.poll); }},
    {"-p", "8,4", [](const Test& t) { return compose("{}", t.n_prompt); }},
};

TEST(BenchLists, LoopsAreNestedAsInLlamaBench) {
  for (std::size_t i = 0; i + 1 < std::size(kLists); ++i) {
    const List& outer = kLists[i];
    const List& inner = kLists[i + 1];
    const auto tests = tests_of({"-n", "0", inner.flag, inner.values, outer.flag, outer.values});
    std::vector<std::string> seen;
    for (const auto& test : tests) seen.push_back(outer.show(test) + " " + inner.show(test));
    const std::size_t a = outer.values.find(','), b = inner.values.find(',');
    const std::string x(outer.values.substr(0, a)), y(outer.values.substr(a + 1));
    const std::string u(inner.values.substr(0, b)), v(inner.values.substr(b + 1));
    EXPECT_THAT(seen, ElementsAre(x + " " + u, x + " " + v, y + " " + u, y + " " + v)) << outer.flag;
  }
}

TEST(BenchLists, Words) {
  const auto tests = tests_of({"-n", "0", "-fa", "0,1", "-fa", "auto", "-mmp", "0,1", "-ctk", "f32"});
  ASSERT_EQ(tests.size(), 6u);
  EXPECT_EQ(tests[0].load_mode, "none");
  EXPECT_EQ(tests[5].load_mode, "mmap");
  EXPECT_EQ(tests[0].flash_attn, 0);
  EXPECT_EQ(tests[1].flash_attn, 1);
  EXPECT_EQ(tests[2].flash_attn, -1);
  EXPECT_EQ(tests[0].type_k, "f32");
  EXPECT_EQ(tests_of({"-dio", "1"}).front().load_mode, "dio");
  EXPECT_EQ(tests_of({"-t", "-1"}).front().n_threads, 0u);
  EXPECT_EQ(tests_of({"-t", "1-3"}).size(), 6u);
}

TEST(BenchLists, CommasInTheNamesOfFiles) {
  const test::TempDir folder;
  const std::string path = folder.write("a,b.gguf", std::string_view("x"));
  const std::string both = path + "," + path;
  const auto one = tests_of({"-n", "0", "-m", path});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one.front().model.text, path);
  EXPECT_EQ(tests_of({"-n", "0", "-m", both}).size(), 4u) << "no such file: cut at the commas";
  EXPECT_THAT(refusal({"-m", "a,,b"}), HasSubstr("-m: value 'a,,b'"));
  EXPECT_THAT(refusal({"-m", ""}), HasSubstr("-m: value ''"));
}

TEST(BenchLists, SyntheticModels) {
  const auto tests = tests_of({"-n", "0", "--synth", "smollm2-135m:q4_0,smollm2-135m:f16:2", "-m", "a"});
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests[0].model.kind, ModelChoice::Kind::File);
  EXPECT_EQ(tests[2].model.kind, ModelChoice::Kind::Synthetic);
  EXPECT_EQ(tests[2].model.text, "smollm2-135m:f16:2");
  EXPECT_THAT(refusal({"--synth", "llama:q4_0"}), HasSubstr("llama"));
}

TEST(BenchLists, WhatIsRefused) {
  EXPECT_THAT(refusal({"-pg", "256"}), HasSubstr("-pg: value '256'; allowed: two numbers of tokens, P,G"));
  EXPECT_THAT(refusal({"-pg", "1,2,3"}), HasSubstr("-pg: value"));
  EXPECT_THAT(refusal({"-pg", "1,-2"}), HasSubstr("-pg: value"));
  EXPECT_THAT(refusal({"-pg", "1-2,3"}), HasSubstr("-pg: value"));
  EXPECT_THAT(refusal({"-gp", "x,y"}), HasSubstr("-gp: value"));
  EXPECT_THAT(refusal({"-p", "-1"}), HasSubstr("-p: value '-1'; allowed: 0 to "));
  EXPECT_THAT(refusal({"-p", "8-4"}), HasSubstr("-p: value"));
  EXPECT_THAT(refusal({"-b", "0"}), HasSubstr("-b: value"));
  EXPECT_THAT(refusal({"-t", "0"}), HasSubstr("-t: value"));
  EXPECT_THAT(refusal({"-fa", "2"}), HasSubstr("-fa: value"));
  EXPECT_THAT(refusal({"-ctk", "f16,q8_0"}), HasSubstr("quantized"));
  EXPECT_THAT(refusal({"-o", "xml"}), HasSubstr("-o: value 'xml'; allowed: md, csv, json, jsonl, sql"));
  EXPECT_THAT(refusal({"-r", "0"}), HasSubstr("-r: value"));
}

TEST(BenchLists, ValuesThatAskForNothingOfOtherEngines) {
  EXPECT_EQ(refusal({"-rtr", "0", "-embd", "0", "-mla", "0", "-fmoe", "0"}), "(accepted)");
  EXPECT_THAT(refusal({"-rtr", "1"}), HasSubstr("-rtr: "));
  EXPECT_THAT(refusal({"-mla", "3"}), HasSubstr("-mla: this flag is of ik_llama.cpp"));
  EXPECT_THAT(refusal({"-ser", "7,1"}), HasSubstr("ik_llama.cpp"));
}

TEST(BenchOptions, OfAllTests) {
  const BenchOptions plain = read_options(Arguments::parse(kBench, {}));
  EXPECT_EQ(plain.repetitions, 5u);
  EXPECT_TRUE(plain.warm_up);
  EXPECT_EQ(plain.output, "md");
  EXPECT_EQ(plain.output_err, "");
  EXPECT_EQ(plain.compat, Compat::Year2026);
  const std::vector<std::string_view> args = {
      "--no-warmup", "-r", "2", "-oe", "csv", "--delay", "3", "--compat", "2025", "--numa", "isolate"};
  const BenchOptions other = read_options(Arguments::parse(kBench, args));
  EXPECT_EQ(other.repetitions, 2u);
  EXPECT_FALSE(other.warm_up);
  EXPECT_EQ(other.output_err, "csv");
  EXPECT_EQ(other.delay.count(), 3);
  EXPECT_EQ(other.compat, Compat::Year2025);
  EXPECT_EQ(other.numa, "isolate");
  const std::vector<std::string_view> ik = {"-w", "0"};
  EXPECT_FALSE(read_options(Arguments::parse(kBench, ik)).warm_up);
}

}  // namespace
}  // namespace armature::tools::bench
