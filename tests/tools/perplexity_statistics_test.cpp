// The sums behind perplexity and divergence, against values worked by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "tools/perplexity/divergence.h"
#include "tools/perplexity/packed_row.h"
#include "tools/perplexity/statistics.h"

namespace armature::tools::perplexity {
namespace {

RunningMean of(const std::vector<double>& values) {
  RunningMean mean;
  for (const double value : values) mean.add(value);
  return mean;
}

TEST(PerplexityStatistics, MeanAndItsError) {
  const RunningMean mean = of({1, 2, 3, 6});
  EXPECT_EQ(mean.n(), 4u);
  EXPECT_DOUBLE_EQ(mean.mean(), 3);
  EXPECT_DOUBLE_EQ(mean.error(), std::sqrt(14.0 / 12)) << "squares of -2, -1, 0, 3";
  EXPECT_EQ(of({5}).error(), 0);
  EXPECT_DOUBLE_EQ(of({1e9, 1e9 + 2}).error(), 1) << "no digits are lost to a large mean";
}

TEST(PerplexityStatistics, FunctionsOfEstimates) {
  EXPECT_DOUBLE_EQ(exponential({std::log(8.0), 0.25}).value, 8);
  EXPECT_DOUBLE_EQ(exponential({std::log(8.0), 0.25}).error, 2);
  EXPECT_DOUBLE_EQ(square_root({4, 0.4}).value, 2);
  EXPECT_DOUBLE_EQ(square_root({4, 0.4}).error, 0.1);
  EXPECT_EQ(square_root({0, 0}).error, 0);
  EXPECT_DOUBLE_EQ(share(3, 4).value, 0.75);
  EXPECT_DOUBLE_EQ(share(3, 4).error, 0.25) << "the root of 0.75 * 0.25 / 3";
  EXPECT_EQ(share(1, 1).error, 0);
}

TEST(PerplexityStatistics, QuantilesLieOnStraightLines) {
  const std::vector<double> values = {1, 2, 4, 8};
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 1), 8);
  EXPECT_DOUBLE_EQ(quantile(values, 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(values, 0.9), 0.3 * 4 + 0.7 * 8);
  EXPECT_EQ(quantile(std::vector<double>{7}, 0.99), 7);
}

/// A row by its numbers.
std::vector<std::byte> row_of(float step, float lowest, const std::vector<std::uint16_t>& codes) {
  std::vector<std::byte> bytes(packed_row_bytes(codes.size()));
  std::memcpy(bytes.data(), &step, 4);
  std::memcpy(bytes.data() + 4, &lowest, 4);
  std::memcpy(bytes.data() + 8, codes.data(), codes.size() * 2);
  return bytes;
}

std::vector<std::byte> pack(const std::vector<float>& logits) {
  std::vector<std::byte> bytes(packed_row_bytes(logits.size()), std::byte{0xee});
  pack_row(logits, log_sum_exp(logits), bytes.data());
  return bytes;
}

TEST(PackedRow, SizesAreEven) {
  EXPECT_EQ(packed_row_bytes(4), 16u);
  EXPECT_EQ(packed_row_bytes(5), 20u);
  EXPECT_EQ(packed_row_bytes(49152), 98312u);
}

TEST(PackedRow, LogOfTheSum) {
  EXPECT_DOUBLE_EQ(log_sum_exp(std::vector<float>{0, 0, 0, 0}), std::log(4.0));
  EXPECT_DOUBLE_EQ(log_sum_exp(std::vector<float>{1000, 1000}), 1000 + std::log(2.0));
  EXPECT_DOUBLE_EQ(log_sum_exp(std::vector<float>{-1000, -3000}), -1000);
}

/// Sixteen below the largest logit, 65535 steps: one for each 0.000244.
TEST(PackedRow, CodesByHand) {
  const std::vector<float> logits = {3, -1, -9, -37, -13};
  const double log_sum = log_sum_exp(logits);
  EXPECT_EQ(pack(logits),
            row_of(16.0f / 65535, static_cast<float>(-13 - log_sum), {65535, 49151, 16384, 0, 0}));
  EXPECT_EQ(pack({2, 2, 2, 2}), row_of(0, static_cast<float>(-std::log(4.0)), {0, 0, 0, 0}));
  const std::vector<float> near = {0, -1};
  EXPECT_EQ(pack(near), row_of(1.0f / 65535, static_cast<float>(-1 - log_sum_exp(near)), {65535, 0}))
      << "the smallest logit, where it is less than 16 below";
}

TEST(PackedRow, IsWithinHalfAStep) {
  std::vector<float> logits;
  for (int i = 0; i < 999; ++i) logits.push_back(9 * std::sin(static_cast<float>(i)));
  const auto bytes = pack(logits);
  const PackedRow row(bytes.data());
  EXPECT_TRUE(row.is_sound(999));
  const double log_sum = log_sum_exp(logits);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double exact = static_cast<double>(logits[i]) - log_sum;
    if (logits[i] < -7) continue;
    EXPECT_NEAR(row.log_probability(i), exact, 16.0 / 65535 / 2 + 4e-6) << i;
  }
}

TEST(PackedRow, NumbersThatNoModelGives) {
  const float inf = INFINITY, nan = NAN;
  const auto is_sound = [](float step, float lowest) {
    return PackedRow(row_of(step, lowest, {0, 0}).data()).is_sound(2);
  };
  for (const auto& [step, lowest] : {std::pair{nan, -1.0f},
                                     {inf, -1.0f},
                                     {-1e-6f, -0.1f},
                                     {1e-4f, nan},
                                     {1e-4f, -inf},
                                     {0.0f, 0.1f},
                                     {0.0f, -0.8f},
                                     {1e30f, -1e30f}})
    EXPECT_FALSE(is_sound(step, lowest)) << step << " " << lowest;
  EXPECT_TRUE(is_sound(0, -0.69315f)) << "two tokens alike";
  EXPECT_TRUE(is_sound(16.0f / 65535, -16));
}

/// The base: 3/4 and 1/4; the model: 1/2 each.
TEST(TokenDivergence, ByHand) {
  const auto bytes = row_of(static_cast<float>(std::log(3.0)), static_cast<float>(std::log(0.25)), {1, 0});
  const PackedRow base(bytes.data());
  const std::vector<float> logits = {5, 5};
  const TokenDivergence first = compare(logits, TokenId{0}, base);
  EXPECT_NEAR(first.kld, 0.75 * std::log(1.5) + 0.25 * std::log(0.5), 1e-7);
  EXPECT_NEAR(first.nll, std::log(2.0), 1e-12);
  EXPECT_NEAR(first.nll_base, -std::log(0.75), 1e-7);
  EXPECT_NEAR(first.delta_p, -0.25, 1e-7);
  EXPECT_TRUE(first.same_top) << "of equal logits the first counts";
  const TokenDivergence second = compare(logits, TokenId{1}, base);
  EXPECT_NEAR(second.delta_p, 0.25, 1e-7);
  EXPECT_DOUBLE_EQ(second.kld, first.kld) << "whatever the next token is";
  EXPECT_FALSE(compare(std::vector<float>{5, 6}, TokenId{0}, base).same_top);
}

TEST(TokenDivergence, LeavesOutWhatTheFileDoesNotTellApart) {
  const auto bytes = row_of(20.0f / 65535, -20, {65535, 0, 0, 0});
  const TokenDivergence d = compare(std::vector<float>{0, 0, 0, 0}, TokenId{0}, PackedRow(bytes.data()));
  EXPECT_NEAR(d.kld, std::log(4.0), 1e-6) << "of the first token alone";
}

TEST(TokenDivergence, IsNearlyNothingForTheSameLogits) {
  const std::vector<float> logits = {1, -2, 3.5f, 0.25f, -11};
  const auto bytes = pack(logits);
  const TokenDivergence d = compare(logits, TokenId{2}, PackedRow(bytes.data()));
  EXPECT_NEAR(d.kld, 0, 1e-4);
  EXPECT_NEAR(d.delta_p, 0, 1e-4);
  EXPECT_TRUE(d.same_top);
}

/// nll of the base 1, 2, 3; of the model 1, 3, 5: means 2 and 3, errors 1 / sqrt(3) and 2 / sqrt(3).
TEST(Divergence, SumsByHand) {
  Divergence d;
  d.add({1, 1, 0.1, 0.3, true});
  d.add({3, 2, 0.4, -0.4, false});
  d.add({5, 3, 0.1, 0.1, true});
  EXPECT_EQ(d.n(), 3u);
  EXPECT_DOUBLE_EQ(d.nll().value, 3);
  EXPECT_DOUBLE_EQ(d.nll_base().error, 1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(d.ln_ratio().value, 1);
  EXPECT_DOUBLE_EQ(d.ln_ratio().error, 1 / std::sqrt(3.0)) << "differences 0, 1, 2";
  EXPECT_NEAR(d.correlation(), 1, 1e-12);
  EXPECT_DOUBLE_EQ(d.ppl_difference().value, std::exp(3.0) - std::exp(2.0));
  EXPECT_NEAR(d.ppl_difference().error, (2 * std::exp(3.0) - std::exp(2.0)) / std::sqrt(3.0), 1e-9)
      << "wholly correlated errors subtract";
  EXPECT_DOUBLE_EQ(d.kld().value, 0.2);
  EXPECT_NEAR(d.kld().error, 0.1, 1e-15);
  EXPECT_NEAR(d.delta_p().value, 0, 1e-15);
  EXPECT_NEAR(d.rms_delta_p().value, std::sqrt(0.26 / 3), 1e-15);
  EXPECT_DOUBLE_EQ(d.same_top().value, 2.0 / 3);
  EXPECT_EQ(d.sorted_kld(), (std::vector<double>{0.1, 0.1, 0.4}));
  EXPECT_EQ(d.sorted_delta_p(), (std::vector<double>{-0.4, 0.1, 0.3}));
}

TEST(Divergence, WithoutErrorsThereIsNoCorrelation) {
  Divergence d;
  d.add({1, 1, 0, 0, true});
  EXPECT_EQ(d.correlation(), 0);
  EXPECT_EQ(d.rms_delta_p().error, 0);
}

}  // namespace
}  // namespace armature::tools::perplexity
