#include "engine/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>

#include "gguf/error.h"
#include "tests/support/allocation_count.h"

namespace armature {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

SamplerOptions all_off() {
  SamplerOptions options;
  options.temperature = 1.0f;
  options.top_k = 0;
  options.top_p = 1.0f;
  options.min_p = 0.0f;
  return options;
}

SamplerOptions greedy() {
  SamplerOptions options;
  options.temperature = 0.0f;
  return options;
}

int pick(const SamplerOptions& options, std::span<const float> logits) {
  return static_cast<int>(Sampler(options, logits.size()).sample(logits));
}

/// The ids that come up in 2000 draws: all that the filters leave, where none is rarer than 1 in 100 (a miss
/// has a chance below 1e-8).
std::set<int> reachable(const SamplerOptions& options, std::span<const float> logits) {
  Sampler sampler(options, logits.size());
  std::set<int> ids;
  for (int i = 0; i < 2000; ++i) ids.insert(static_cast<int>(sampler.sample(logits)));
  return ids;
}

std::vector<float> logs(const std::vector<double>& probabilities) {
  std::vector<float> out;
  for (const double p : probabilities) out.push_back(static_cast<float>(std::log(p)));
  return out;
}

/// What check() says, or "" when it accepts.
std::string refusal(const SamplerOptions& options) {
  try {
    check(options);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    return error.what();
  }
}

template <class Value>
std::string refusal(Value SamplerOptions::*option, Value value) {
  SamplerOptions options;
  options.*option = value;
  return refusal(options);
}

// The first is the published test value of SplitMix64 for this seed; the 53-bit draws were worked out from
// the definition in sampler.h with integers of unlimited size.
TEST(Random, FirstDrawsOfKnownSeeds) {
  const auto draws = [](std::uint64_t seed) {
    Random random(seed);
    std::vector<double> out;
    for (int i = 0; i < 5; ++i) out.push_back(std::ldexp(random.next(), 53));
    return out;
  };
  EXPECT_EQ(draws(1234567), (std::vector<double>{3153236189995295, 1564046978124417, 4793697232518735,
                                                 2242861585998575, 8012169364969835}));
  EXPECT_EQ(std::ldexp(Random(1234567).next(), 53), static_cast<double>(6457827717110365317u >> 11));
  EXPECT_EQ(draws(0), (std::vector<double>{7956156453446585, 3886858653415212, 238094247788840,
                                           8744927430068624, 957885841028366}));
  EXPECT_EQ(draws(42), (std::vector<double>{6679422623415661, 1440344771546334, 2509415892804083,
                                            3100194365360476, 342545305733380}));
}

TEST(SamplerOptions, RefusedWithNameValueAndRange) {
  using O = SamplerOptions;
  EXPECT_EQ(refusal(&O::temperature, -1.0f), "temperature -1; a finite number of at least 0 is needed");
  EXPECT_EQ(refusal(&O::temperature, kNan), "temperature nan; a finite number of at least 0 is needed");
  EXPECT_EQ(refusal(&O::temperature, kInfinity), "temperature inf; a finite number of at least 0 is needed");
  EXPECT_EQ(refusal(&O::top_p, kNan), "top-p nan; 0 to 1 is needed");
  EXPECT_EQ(refusal(&O::top_p, -1.0f), "top-p -1; 0 to 1 is needed");
  EXPECT_EQ(refusal(&O::top_p, 2.0f), "top-p 2; 0 to 1 is needed");
  EXPECT_EQ(refusal(&O::top_k, std::int64_t{-2147483648}),
            "top-k -2147483648; a number of tokens, or 0 or -1 for all, is needed");
  EXPECT_EQ(refusal(&O::min_p, kNan), "min-p nan; 0 to 1 is needed");
  EXPECT_EQ(refusal(&O::min_p, 1.5f), "min-p 1.5; 0 to 1 is needed");
  EXPECT_EQ(refusal(&O::repeat_penalty, 0.0f), "repeat-penalty 0; a finite number above 0 is needed");
  EXPECT_EQ(refusal(&O::repeat_penalty, kNan), "repeat-penalty nan; a finite number above 0 is needed");
  EXPECT_EQ(refusal(&O::repeat_penalty, kInfinity), "repeat-penalty inf; a finite number above 0 is needed");
  EXPECT_EQ(refusal(&O::presence_penalty, kNan), "presence-penalty nan; a finite number is needed");
  EXPECT_EQ(refusal(&O::frequency_penalty, kInfinity), "frequency-penalty inf; a finite number is needed");
  EXPECT_EQ(refusal(&O::repeat_last_n, std::int64_t{-2}),
            "repeat-last-n -2; a number of tokens, 0 for none or -1 for all, is needed");
}

TEST(SamplerOptions, EndsOfTheRangesAreAccepted) {
  using O = SamplerOptions;
  EXPECT_EQ(refusal(SamplerOptions()), "");
  for (const float t : {0.0f, 1e-40f, 1e-6f, 1e30f}) EXPECT_EQ(refusal(&O::temperature, t), "");
  for (const float p : {0.0f, 1.0f}) {
    EXPECT_EQ(refusal(&O::top_p, p), "");
    EXPECT_EQ(refusal(&O::min_p, p), "");
  }
  for (const std::int64_t k : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1000000000},
                               std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(refusal(&O::top_k, k), "");
    EXPECT_EQ(refusal(&O::repeat_last_n, k), "");
  }
}

TEST(Sampler, RefusesBadOptionsAndTokensOutsideTheVocabulary) {
  SamplerOptions bad;
  bad.top_p = kNan;
  EXPECT_THROW(Sampler(bad, 10), Error);
  EXPECT_THROW(Sampler(SamplerOptions(), 0), Error);
  Sampler sampler(SamplerOptions(), 10);
  for (const std::int32_t id : {-1, 10, std::numeric_limits<std::int32_t>::min()}) {
    EXPECT_THROW(sampler.ban(TokenId{id}), Error) << id;
    EXPECT_THROW(sampler.accept(TokenId{id}), Error) << id;
  }
}

TEST(Greedy, TakesTheLargestForEverySeedAndScale) {
  for (const float scale : {1.0f, 1e4f})
    for (const float temperature : {0.0f, 1e-8f, 1e-40f})
      for (std::uint32_t seed = 0; seed < 100; ++seed) {
        std::vector<float> logits(280, -20.0f * scale);
        logits[65] = 3.0f * scale;
        logits[66] = 2.999f * scale;
        SamplerOptions options = greedy();
        options.temperature = temperature;
        options.seed = seed;
        ASSERT_EQ(pick(options, logits), 65);
        logits[65] = logits[66];
        ASSERT_EQ(pick(options, logits), 65);
      }
}

TEST(Greedy, DrawsNothingAndLeavesTheLogitsAlone) {
  const std::vector<float> logits = {1.0f, 5.0f, 5.0f, -3.0f};
  const std::vector<float> before = logits;
  EXPECT_EQ(pick(greedy(), logits), 1);
  EXPECT_EQ(logits, before);
}

// "X", 100 times "Z", "B": with X at 2.0 / 1.1 = 1.818 and Y at 1.9, Y wins only where the window holds X.
TEST(Penalties, WindowOfTheRepeatPenalty) {
  const auto next = [](std::int64_t window) {
    SamplerOptions options = greedy();
    options.repeat_penalty = 1.1f;
    options.repeat_last_n = window;
    Sampler sampler(options, 280);
    sampler.accept(TokenId{'X'});
    for (int i = 0; i < 100; ++i) sampler.accept(TokenId{'Z'});
    sampler.accept(TokenId{'B'});
    std::vector<float> logits(280, -20.0f);
    logits['X'] = 2.0f;
    logits['Y'] = 1.9f;
    return static_cast<int>(sampler.sample(logits));
  };
  EXPECT_EQ(next(-1), 'Y');
  EXPECT_EQ(next(0), 'X');
  EXPECT_EQ(next(64), 'X');
  EXPECT_EQ(next(101), 'X');
  EXPECT_EQ(next(102), 'Y');
  EXPECT_EQ(next(std::numeric_limits<std::int64_t>::max()), 'Y');
}

/// Whether token 0 at `logit`, seen `count` times, is still chosen before token 1 at `rival`.
bool survives(const SamplerOptions& options, float logit, int count, float rival) {
  Sampler sampler(options, 2);
  for (int i = 0; i < count; ++i) sampler.accept(TokenId{0});
  return sampler.sample(std::vector<float>{logit, rival}) == TokenId{0};
}

TEST(Penalties, RepeatDividesPositiveLogitsAndMultipliesOthers) {
  SamplerOptions options = greedy();
  options.repeat_penalty = 2.0f;
  EXPECT_TRUE(survives(options, 3.0f, 0, 2.9f));
  EXPECT_TRUE(survives(options, 3.0f, 5, 1.49f));  // 1.5, however often it occurred
  EXPECT_FALSE(survives(options, 3.0f, 5, 1.51f));
  EXPECT_TRUE(survives(options, -3.0f, 1, -6.01f));  // -6
  EXPECT_FALSE(survives(options, -3.0f, 1, -5.99f));
  options.repeat_penalty = 0.5f;
  EXPECT_TRUE(survives(options, 3.0f, 1, 5.99f));  // below 1: a reward
  EXPECT_TRUE(survives(options, -3.0f, 1, -1.51f));
}

TEST(Penalties, FrequencyGrowsWithTheCountAndPresenceDoesNot) {
  SamplerOptions options = greedy();
  options.frequency_penalty = 0.25f;
  options.presence_penalty = 0.5f;
  EXPECT_TRUE(survives(options, 3.0f, 1, 2.24f));  // 3 - 0.25 - 0.5
  EXPECT_FALSE(survives(options, 3.0f, 1, 2.26f));
  EXPECT_TRUE(survives(options, 3.0f, 4, 1.49f));  // 3 - 1 - 0.5
  EXPECT_FALSE(survives(options, 3.0f, 4, 1.51f));
  options.repeat_penalty = 2.0f;
  EXPECT_TRUE(survives(options, 3.0f, 4, -0.01f));  // 3 / 2 - 1 - 0.5
  EXPECT_FALSE(survives(options, 3.0f, 4, 0.01f));
  options.repeat_last_n = 2;
  EXPECT_TRUE(survives(options, 3.0f, 4, 0.49f));  // two of the four are looked back on
  EXPECT_FALSE(survives(options, 3.0f, 4, 0.51f));
}

TEST(Penalties, ComeBeforeTopK) {
  SamplerOptions options = all_off();
  options.top_k = 1;
  options.presence_penalty = 10.0f;
  Sampler sampler(options, 3);
  sampler.accept(TokenId{0});
  EXPECT_EQ(sampler.sample(std::vector<float>{5.0f, 1.0f, 2.0f}), TokenId{2});
}

TEST(Penalties, StayFiniteAtTheEndsOfTheRange) {
  SamplerOptions options = all_off();
  for (const float penalty : {1e-38f, 3e38f}) {
    options.repeat_penalty = penalty;
    Sampler sampler(options, 3);
    for (int id = 0; id < 3; ++id) sampler.accept(TokenId{id});
    const int id = static_cast<int>(sampler.sample(std::vector<float>{3e38f, -3e38f, 1.0f}));
    EXPECT_TRUE(id == 0 || id == 2) << id;
  }
}

TEST(TopK, KeepsTheLargestAndTheLowerIdsAmongEquals) {
  SamplerOptions options = all_off();
  const std::vector<float> logits = {0.1f, 0.4f, 0.2f, 0.4f, 0.2f, 0.2f};
  options.top_k = 2;
  EXPECT_EQ(reachable(options, logits), (std::set{1, 3}));
  options.top_k = 3;
  EXPECT_EQ(reachable(options, logits), (std::set{1, 2, 3}));
  options.top_k = 1;
  EXPECT_EQ(reachable(options, logits), (std::set{1}));
  for (const std::int64_t k :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{6}, std::int64_t{1000000000}}) {
    options.top_k = k;
    EXPECT_EQ(reachable(options, logits).size(), 6u) << k;
  }
}

TEST(TopK, AgreesWithSortingTheVocabulary) {
  Random random(7);
  for (const std::size_t n_vocab : {1u, 2u, 37u, 1000u}) {
    for (const std::size_t k : {1u, 2u, 3u, 17u, 40u}) {
      std::vector<float> logits(n_vocab);
      for (float& logit : logits) logit = static_cast<float>(std::floor(random.next() * 50)) * 0.001f;
      std::vector<int> ids(n_vocab);
      for (std::size_t i = 0; i < n_vocab; ++i) ids[i] = static_cast<int>(i);
      std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) {
        return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
      });
      ids.resize(std::min(k, n_vocab));
      SamplerOptions options = all_off();
      options.top_k = static_cast<std::int64_t>(k);
      EXPECT_EQ(reachable(options, logits), std::set<int>(ids.begin(), ids.end())) << n_vocab << ' ' << k;
    }
  }
}

TEST(TopP, KeepsTheSmallestPrefixThatReachesIt) {
  SamplerOptions options = all_off();
  const std::vector<float> logits = logs({0.125, 0.5, 0.125, 0.25});
  const std::vector<std::pair<float, std::set<int>>> table = {
      {0.0f, {1}},        {0.49f, {1}},       {0.51f, {1, 3}},       {0.74f, {1, 3}},
      {0.76f, {0, 1, 3}}, {0.87f, {0, 1, 3}}, {0.88f, {0, 1, 2, 3}}, {1.0f, {0, 1, 2, 3}},
  };
  for (const auto& [top_p, kept] : table) {
    options.top_p = top_p;
    EXPECT_EQ(reachable(options, logits), kept) << top_p;
  }
  options.top_p = 0.5f;  // four equal ones: the sum after two is 0.5 exactly, which is enough
  EXPECT_EQ(reachable(options, std::vector<float>(4, 1.5f)), (std::set{0, 1}));
}

TEST(TopP, CountsProbabilitiesAmongWhatTopKLeft) {
  SamplerOptions options = all_off();
  options.top_k = 2;
  options.top_p = 0.6f;  // 0.4 / (0.4 + 0.2) = 0.67 reaches it; 0.4 would not
  EXPECT_EQ(reachable(options, logs({0.2, 0.4, 0.2, 0.2})), (std::set{1}));
}

TEST(MinP, KeepsWhatReachesAShareOfTheBest) {
  SamplerOptions options = all_off();
  const std::vector<float> logits = logs({0.1, 0.4, 0.3, 0.2});
  const std::vector<std::pair<float, std::set<int>>> table = {
      {0.0f, {0, 1, 2, 3}}, {0.24f, {0, 1, 2, 3}}, {0.26f, {1, 2, 3}}, {0.49f, {1, 2, 3}},
      {0.51f, {1, 2}},      {0.74f, {1, 2}},       {0.76f, {1}},       {1.0f, {1}},
  };
  for (const auto& [min_p, kept] : table) {
    options.min_p = min_p;
    EXPECT_EQ(reachable(options, logits), kept) << min_p;
  }
  options.min_p = 1.0f;
  EXPECT_EQ(reachable(options, std::vector<float>{2.0f, 3.0f, 3.0f}), (std::set{1, 2}));
}

TEST(MinP, DoesNotChangeWhatTopPCounts) {
  SamplerOptions options = all_off();
  options.top_p = 0.6f;   // 0.4 + 0.3 of the whole reach it
  options.min_p = 0.51f;  // leaves 0.4 and 0.3, of which 0.4 alone would be 0.57
  EXPECT_EQ(reachable(options, logs({0.1, 0.4, 0.3, 0.2})), (std::set{1, 2}));
}

TEST(Temperature, ComesAfterTheFilters) {
  SamplerOptions options = all_off();
  options.temperature = 1e30f;
  options.min_p = 0.51f;
  const std::vector<float> logits = logs({0.1, 0.4, 0.3, 0.2});
  EXPECT_EQ(reachable(options, logits), (std::set{1, 2}));
  options.min_p = 0.0f;
  EXPECT_EQ(reachable(options, logits), (std::set{0, 1, 2, 3}));
}

// The draws of seed 42 are 0.742, 0.160, 0.279, 0.344, 0.038. At temperature 0.5 the weights 2 : 1 : 4 become
// 4 : 1 : 16, and the walk is 2 up to 16/21 = 0.762, 0 up to 20/21 = 0.952, then 1.
TEST(Draw, WalksFromTheMostProbable) {
  const std::vector<float> logits = logs({2.0, 1.0, 4.0});
  const auto first_five = [&](float temperature) {
    SamplerOptions options = all_off();
    options.seed = 42;
    options.temperature = temperature;
    Sampler sampler(options, 3);
    std::vector<int> out;
    for (int i = 0; i < 5; ++i) out.push_back(static_cast<int>(sampler.sample(logits)));
    return out;
  };
  EXPECT_EQ(first_five(0.5f), (std::vector{2, 2, 2, 2, 2}));
  // 4/7 = 0.571, 6/7 = 0.857
  EXPECT_EQ(first_five(1.0f), (std::vector{0, 2, 2, 2, 2}));
  // Weights sqrt: 2 : 1.414 : 1, so 0.453 and 0.773
  EXPECT_EQ(first_five(2.0f), (std::vector{0, 2, 2, 2, 2}));
  // All equal: thirds, in the order 2, 0, 1
  EXPECT_EQ(first_five(1e30f), (std::vector{1, 2, 2, 0, 2}));
}

TEST(Draw, AmongEqualsTheDrawIsTheId) {
  SamplerOptions options = all_off();
  options.seed = 1234567;
  std::vector<float> logits(280, -1000.0f);
  for (std::size_t id = 64; id < 128; ++id) logits[id] = 0.0f;
  Sampler sampler(options, logits.size());
  Random random(options.seed);
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(static_cast<int>(sampler.sample(logits)), 64 + static_cast<int>(random.next() * 64)) << i;
}

TEST(Draw, FrequenciesAreTheProbabilities) {
  SamplerOptions options = all_off();
  const std::vector<double> p = {0.1, 0.4, 0.3, 0.2};
  Sampler sampler(options, p.size());
  std::vector<int> counts(p.size());
  constexpr int kDraws = 40000;
  const std::vector<float> logits = logs(p);
  for (int i = 0; i < kDraws; ++i) ++counts[static_cast<std::size_t>(sampler.sample(logits))];
  for (std::size_t i = 0; i < p.size(); ++i)  // five standard deviations
    EXPECT_NEAR(counts[i], kDraws * p[i], 5 * std::sqrt(kDraws * p[i] * (1 - p[i]))) << i;
}

TEST(Draw, TheSeedDecides) {
  const std::vector<float> logits(64, 0.0f);
  const auto sixteen = [&](std::uint32_t seed) {
    SamplerOptions options = all_off();
    options.seed = seed;
    Sampler sampler(options, logits.size());
    std::vector<int> out;
    for (int i = 0; i < 16; ++i) out.push_back(static_cast<int>(sampler.sample(logits)));
    return out;
  };
  EXPECT_EQ(sixteen(42), sixteen(42));
  EXPECT_EQ(sixteen(0), sixteen(0));
  EXPECT_NE(sixteen(0), sixteen(42));
  EXPECT_NE(sixteen(42), sixteen(43));
}

TEST(Ban, ABannedTokenIsNeverChosen) {
  const std::vector<float> logits = {1.0f, 9.0f, 2.0f, 8.0f};
  for (const bool draws : {false, true}) {
    Sampler sampler(draws ? all_off() : greedy(), logits.size());
    sampler.ban(TokenId{1});
    sampler.ban(TokenId{3});
    for (int i = 0; i < 200; ++i) {
      const TokenId token = sampler.sample(logits);
      ASSERT_TRUE(token == TokenId{0} || token == TokenId{2});
      sampler.accept(token);
    }
  }
}

TEST(Ban, APenaltyDoesNotLiftIt) {
  SamplerOptions options = greedy();
  options.presence_penalty = -1e30f;
  Sampler sampler(options, 2);
  sampler.accept(TokenId{1});
  sampler.ban(TokenId{1});
  EXPECT_EQ(sampler.sample(std::vector<float>{-3e38f, 1.0f}), TokenId{0});
}

TEST(NotFinite, SuchLogitsAreNeverChosen) {
  const std::vector<float> logits = {kNan, 1.0f, kInfinity, -kInfinity, 0.5f, -kNan};
  for (const float temperature : {0.0f, 1.0f})
    for (const std::int64_t top_k : {0, 1, 2, 40}) {
      SamplerOptions options;
      options.temperature = temperature;
      options.top_k = top_k;
      options.repeat_penalty = 1.5f;
      Sampler sampler(options, logits.size());
      for (int id = 0; id < 6; ++id) sampler.accept(TokenId{id});
      for (int i = 0; i < 50; ++i) {
        const TokenId token = sampler.sample(logits);
        ASSERT_TRUE(token == TokenId{1} || token == TokenId{4});
      }
    }
}

TEST(NotFinite, AnErrorWhereNothingIsLeft) {
  for (const float temperature : {0.0f, 1.0f}) {
    SamplerOptions options;
    options.temperature = temperature;
    Sampler sampler(options, 3);
    sampler.ban(TokenId{0});
    try {
      sampler.sample(std::vector<float>{1.0f, kNan, -kInfinity});
      FAIL() << temperature;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::not_finite);
    }
  }
}

std::vector<float> large_vocabulary() {
  std::vector<float> logits(131072);
  Random random(3);
  for (float& logit : logits) logit = static_cast<float>(random.next() * 20.0 - 10.0);
  return logits;
}

TEST(Steady, SamplingAndAcceptingDoNotAllocate) {
  const std::vector<float> logits = large_vocabulary();
  SamplerOptions all_on;
  all_on.repeat_penalty = 1.1f;
  all_on.presence_penalty = 0.1f;
  for (const SamplerOptions& options : {SamplerOptions(), greedy(), all_off(), all_on}) {
    Sampler sampler(options, logits.size());
    sampler.ban(TokenId{17});
    const std::size_t before = test::n_allocations();
    for (int i = 0; i < 100; ++i) sampler.accept(sampler.sample(logits));
    EXPECT_EQ(test::n_allocations(), before);
  }
  const std::size_t before = test::n_allocations();
  const auto counted = std::make_unique<int>(1);
  EXPECT_EQ(test::n_allocations(), before + static_cast<std::size_t>(*counted));
}

/// Comparisons of ids, which the order's tie rule makes, cost time too: all logits equal is the hard case.
TEST(Steady, TimeGrowsWithTheVocabularyNotWithSortingIt) {
  std::vector<std::vector<float>> cases = {large_vocabulary(), std::vector<float>(131072, 1.0f)};
  for (const auto& logits : cases) {
    Sampler sampler(SamplerOptions(), logits.size());
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
      const auto start = std::chrono::steady_clock::now();
      sampler.sample(logits);
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    RecordProperty("microseconds", static_cast<int>(best * 1e6));
    std::vector<float> sorted = logits;
    double sorting = 1e9;
    for (int i = 0; i < 3; ++i) {
      sorted = logits;
      const auto start = std::chrono::steady_clock::now();
      std::sort(sorted.begin(), sorted.end());
      sorting =
          std::min(sorting, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    EXPECT_LT(best, sorting);
  }
}

}  // namespace
}  // namespace armature
