// What batched-bench times, on a clock that moves only when work is done.
#include "tools/batched_bench/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gguf/compose.h"
#include "tools/batched_bench/sweep.h"

namespace armature::tools::batched {
namespace {

using testing::ElementsAre;

/// Work that takes fixed times and keeps a diary.
class FakeWork : public Work {
 public:
  void begin(std::size_t n_sequences, std::size_t n_tokens) override {
    untimed(compose("begin {}x{}", n_sequences, n_tokens));
  }
  bool process_prompts(std::size_t n_sequences, std::size_t n_tokens) override {
    return timed(compose("prompts {}x{}", n_sequences, n_tokens), 10 * n_sequences * n_tokens);
  }
  void share_prompt(std::size_t n_sequences, std::size_t n_more) override {
    untimed(compose("share {} +{}", n_sequences, n_more));
  }
  bool generate(std::size_t first, std::size_t n) override {
    return timed(compose("generate {}+{}", first, n), 1000 + n);
  }
  void rewind(std::size_t n_tokens, std::size_t n_more) override {
    untimed(compose("rewind {} +{}", n_tokens, n_more));
  }
  std::size_t pages_in_use() const override { return 7; }

  NanosecondClock clock() {
    return [this] { return now; };
  }

  nanoseconds now{77};
  std::vector<std::string> diary;
  std::size_t calls_left = ~std::size_t{0};

 private:
  void untimed(std::string entry) {
    diary.push_back(std::move(entry));
    now += nanoseconds(1000000);  // is not to be seen in any time
  }
  bool timed(std::string entry, std::size_t ns) {
    diary.push_back(std::move(entry));
    now += nanoseconds(ns);
    return calls_left-- > 0;
  }
};

TEST(BatchedBenchMeasure, AllSequencesTogether) {
  FakeWork work;
  const auto measured = measure(work, {8, 2, 3}, {}, 2, work.clock());
  ASSERT_TRUE(measured);
  EXPECT_THAT(work.diary, ElementsAre("begin 3x10", "prompts 3x8", "generate 0+3", "generate 0+3",  //
                                      "begin 3x10", "prompts 3x8", "generate 0+3", "generate 0+3"));
  ASSERT_EQ(measured->repetitions.size(), 2u);
  for (const Times& times : measured->repetitions) {
    EXPECT_EQ(times.prompt.count(), 240);
    EXPECT_EQ(times.generation.count(), 2006);
  }
  EXPECT_EQ(measured->n_pages, 7u);
}

TEST(BatchedBenchMeasure, SharingIsNotTimed) {
  FakeWork work;
  const auto measured = measure(work, {8, 1, 3}, {.shared_prompt = true}, 1, work.clock());
  EXPECT_THAT(work.diary, ElementsAre("begin 1x8", "prompts 1x8", "share 3 +1", "generate 0+3"));
  EXPECT_EQ(measured->repetitions.front().prompt.count(), 80);
  EXPECT_EQ(measured->repetitions.front().generation.count(), 1003);
}

TEST(BatchedBenchMeasure, OneSequenceAfterTheOther) {
  FakeWork work;
  const auto measured = measure(work, {8, 2, 2}, {.one_by_one = true}, 1, work.clock());
  EXPECT_THAT(work.diary, ElementsAre("begin 2x10", "prompts 2x8", "generate 0+1", "generate 0+1",
                                      "generate 1+1", "generate 1+1"));
  EXPECT_EQ(measured->repetitions.front().generation.count(), 4004);
}

TEST(BatchedBenchMeasure, InterruptedAnywhere) {
  for (const bool one_by_one : {false, true}) {
    const Mode mode = {.one_by_one = one_by_one};
    const std::size_t calls = one_by_one ? 5 : 3;
    for (std::size_t n = 0; n <= calls; ++n) {
      FakeWork work;
      work.calls_left = n;
      EXPECT_EQ(measure(work, {1, 2, 2}, mode, 1, work.clock()).has_value(), n == calls) << n;
    }
  }
}

TEST(BatchedBenchMeasure, OrderOfRows) {
  const Case expected[] = {{1, 3, 5}, {1, 3, 6}, {1, 4, 5}, {1, 4, 6},
                           {2, 3, 5}, {2, 3, 6}, {2, 4, 5}, {2, 4, 6}};
  EXPECT_THAT(list_cases({{1, 2}, {3, 4}, {5, 6}}), testing::ElementsAreArray(expected));
  EXPECT_TRUE(list_cases({{1, 2}, {}, {5}}).empty());
}

TEST(BatchedBenchMeasure, CellsAndSequences) {
  EXPECT_EQ(cells_needed(Case{128, 64, 4}, {}), 768u);
  EXPECT_EQ(cells_needed(Case{128, 64, 4}, {.shared_prompt = true}), 384u);
  const Case rows[] = {{128, 64, 1}, {128, 64, 4}, {128, 64, 2}};
  EXPECT_EQ(most_sequences(rows, {}, 0), 4u);
  EXPECT_EQ(most_sequences(rows, {}, 767), 2u) << "rows that are skipped take no room";
  EXPECT_EQ(most_sequences(rows, {.shared_prompt = true}, 383), 2u);
  EXPECT_EQ(most_sequences({}, {}, 0), 1u);
}

/// Runs a sweep; the results' depths and times.
std::vector<std::string> sweep(FakeWork& work, const Sweep& sweep, std::optional<std::size_t> end) {
  std::vector<std::string> out;
  EXPECT_EQ(run_sweep(work, sweep, work.clock(),
                      [&](const Result& r) {
                        for (const Times& times : r.measured.repetitions)
                          out.push_back(
                              compose("{}: {} {}", r.n_kv, times.prompt.count(), times.generation.count()));
                      }),
            end);
  return out;
}

TEST(BatchedBenchSweep, GenerationThenPromptAtEachDepth) {
  FakeWork work;
  EXPECT_THAT(sweep(work, {.n_cells = 12, .step = 4, .n_gen = 1}, 12),
              ElementsAre("0: 40 1001", "4: 40 1001", "8: 40 1001"));
  EXPECT_THAT(work.diary,
              ElementsAre("begin 0x0", "rewind 0 +1", "generate 0+1", "rewind 0 +4", "prompts 1x4",  //
                          "rewind 4 +1", "generate 0+1", "rewind 4 +4", "prompts 1x4",               //
                          "rewind 8 +1", "generate 0+1", "rewind 8 +4", "prompts 1x4"));
}

TEST(BatchedBenchSweep, StrideAndRepetitions) {
  FakeWork work;
  EXPECT_THAT(sweep(work, {.n_cells = 12, .step = 4, .n_gen = 1, .stride = 2, .repetitions = 2}, 12),
              ElementsAre("0: 40 1001", "0: 40 1001", "8: 40 1001", "8: 40 1001"));
}

TEST(BatchedBenchSweep, EndsWhereAStepDoesNotFit) {
  FakeWork work;
  EXPECT_THAT(sweep(work, {.n_cells = 7, .step = 4, .n_gen = 1}, 4), ElementsAre("0: 40 1001"));
  EXPECT_THAT(sweep(work, {.n_cells = 8, .step = 4, .n_gen = 5}, 4), ElementsAre("0: 40 5005"));
  EXPECT_THAT(sweep(work, {.n_cells = 3, .step = 4, .n_gen = 1}, 0), ElementsAre());
}

TEST(BatchedBenchSweep, Interrupted) {
  for (std::size_t calls = 0; calls < 5; ++calls) {
    FakeWork work;
    work.calls_left = calls;
    sweep(work, {.n_cells = 12, .step = 4, .n_gen = 1, .stride = 2}, std::nullopt);
  }
}

}  // namespace
}  // namespace armature::tools::batched
