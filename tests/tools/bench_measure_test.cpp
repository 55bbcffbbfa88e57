// What bench times, on a clock that moves only when work is done.
#include "tools/bench/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gguf/compose.h"
#include "tools/bench/record.h"

namespace armature::tools::bench {
namespace {

using testing::ElementsAre;

/// Work that takes fixed times and keeps a diary.
class FakeWork : public Work {
 public:
  bool begin(std::size_t depth, std::size_t n_next) override {
    diary.push_back(compose("begin {} {}", depth, n_next));
    now += nanoseconds(1000000);  // is not to be seen in any time
    return go_on();
  }
  bool process_prompt(std::size_t n) override {
    diary.push_back(compose("prompt {}", n));
    now += nanoseconds(n * 10);
    return go_on();
  }
  /// The n-th token of a repetition takes n microseconds.
  bool generate_token() override {
    diary.push_back("token");
    now += nanoseconds(1000 * ++n_tokens);
    return go_on();
  }
  NanosecondClock clock() {
    return [this] { return now; };
  }

  nanoseconds now{77};
  std::vector<std::string> diary;
  std::size_t n_tokens = 0;
  std::size_t calls_left = ~std::size_t{0};

 private:
  bool go_on() { return calls_left-- > 0; }
};

TEST(BenchMeasure, WarmUpThenRepetitions) {
  FakeWork work;
  const auto times = measure(work, {.n_prompt = 8, .n_gen = 2, .n_depth = 5, .repetitions = 2}, work.clock());
  ASSERT_TRUE(times);
  EXPECT_THAT(work.diary, ElementsAre("begin 5 9", "prompt 8", "token",            //
                                      "begin 5 10", "prompt 8", "token", "token",  //
                                      "begin 5 10", "prompt 8", "token", "token"));
  ASSERT_EQ(times->size(), 2u);
  EXPECT_EQ((*times)[0].prompt.count(), 80);
  EXPECT_THAT((*times)[0].tokens, ElementsAre(nanoseconds(2000), nanoseconds(3000)));
  EXPECT_THAT((*times)[1].tokens, ElementsAre(nanoseconds(4000), nanoseconds(5000)));
  EXPECT_EQ((*times)[1].generation().count(), 9000);
  EXPECT_EQ((*times)[1].total().count(), 9080);
}

TEST(BenchMeasure, OneOfTheTwoAlone) {
  FakeWork work;
  const auto prompt = measure(work, {.n_prompt = 3, .repetitions = 1, .warm_up = false}, work.clock());
  EXPECT_THAT(work.diary, ElementsAre("begin 0 3", "prompt 3"));
  EXPECT_EQ(prompt->front().total().count(), 30);
  work.diary.clear();
  const auto gen = measure(work, {.n_gen = 2, .repetitions = 1, .warm_up = false}, work.clock());
  EXPECT_THAT(work.diary, ElementsAre("begin 0 2", "token", "token"));
  EXPECT_EQ(gen->front().prompt.count(), 0);
  EXPECT_EQ(gen->front().total().count(), 3000);
}

TEST(BenchMeasure, EachStepIsTold) {
  FakeWork work;
  std::vector<std::string> steps;
  measure(work, {.n_gen = 1, .repetitions = 2}, work.clock(),
          [&](std::string_view step) { steps.emplace_back(step); });
  EXPECT_THAT(steps, ElementsAre("warm-up", "repetition 1/2", "repetition 2/2"));
}

TEST(BenchMeasure, InterruptedAnywhere) {
  for (std::size_t calls = 0; calls < 7; ++calls) {
    FakeWork work;
    work.calls_left = calls;
    EXPECT_FALSE(measure(work, {.n_prompt = 1, .n_gen = 2, .repetitions = 1}, work.clock())) << calls;
  }
  FakeWork work;
  work.calls_left = 7;
  EXPECT_TRUE(measure(work, {.n_prompt = 1, .n_gen = 2, .repetitions = 1}, work.clock()));
}

TEST(BenchMeasure, PercentilesOfTokensAreExact) {
  FakeWork work;
  Record record;
  record.test.n_prompt = 50;
  record.test.n_gen = 100;
  record.repetitions =
      *measure(work, {.n_prompt = 50, .n_gen = 100, .repetitions = 2, .warm_up = false}, work.clock());
  const auto x = nlohmann::json::parse(details_json(record, -1));
  // 200 tokens of 1 to 200 microseconds.
  EXPECT_EQ(x["itl_ms"]["p50"], 0.1);
  EXPECT_EQ(x["itl_ms"]["p95"], 0.19);
  EXPECT_EQ(x["itl_ms"]["p99"], 0.198);
  EXPECT_EQ(x["itl_ms"]["max"], 0.2);
  EXPECT_EQ(x["itl_ms"]["n"], 200);
  EXPECT_EQ(x["ttft_ms"]["median"], 0.0005);
  EXPECT_EQ(x["prompt"]["avg_ts"], 1e8);
  EXPECT_EQ(x["prompt"]["stddev_ts"], 0);
  EXPECT_EQ(x["generation"]["samples_ns"], nlohmann::json({5050000, 15050000}));
}

}  // namespace
}  // namespace armature::tools::bench
