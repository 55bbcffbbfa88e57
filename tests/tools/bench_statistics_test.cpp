#include "tools/bench/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace armature::tools::bench {
namespace {

using Samples = std::vector<double>;

TEST(BenchStatistics, MeanAndDeviation) {
  EXPECT_EQ(mean(Samples{5}), 5);
  EXPECT_EQ(standard_deviation(Samples{5}), 0);
  EXPECT_EQ(mean(Samples{2, 4, 4, 4, 5, 5, 7, 9}), 5);
  EXPECT_DOUBLE_EQ(standard_deviation(Samples{2, 4, 4, 4, 5, 5, 7, 9}), std::sqrt(32.0 / 7));
}

TEST(BenchStatistics, DeviationKeepsItsDigitsFarFromZero) {
  // A sum of squares less the squared sum has none left here.
  EXPECT_DOUBLE_EQ(standard_deviation(Samples{1e9 + 1, 1e9 + 2, 1e9 + 3}), 1);
}

TEST(BenchStatistics, PercentilesAreSamples) {
  Samples hundred;
  for (int i = 100; i > 0; --i) hundred.push_back(i);
  EXPECT_EQ(percentile(hundred, 50), 50);
  EXPECT_EQ(percentile(hundred, 95), 95);
  EXPECT_EQ(percentile(hundred, 99), 99);
  EXPECT_EQ(percentile(hundred, 100), 100);
  const Samples few = {30, 10, 20};
  EXPECT_EQ(percentile(few, 1), 10);
  EXPECT_EQ(percentile(few, 50), 20);
  EXPECT_EQ(percentile(few, 67), 30);
  EXPECT_EQ(percentile(Samples{7}, 99), 7);
}

TEST(BenchStatistics, SpreadOfOddAndEvenNumbers) {
  EXPECT_EQ(spread(Samples{3, 1, 2}).median, 2);
  EXPECT_EQ(spread(Samples{4, 1, 2, 3}).median, 2.5);
  const Spread one = spread(Samples{6});
  EXPECT_EQ(one.min + one.median + one.max, 18);
  EXPECT_EQ(spread(Samples{4, 1, 3}).min, 1);
  EXPECT_EQ(spread(Samples{4, 1, 3}).max, 4);
}

TEST(BenchStatistics, IntervalOfTheMean) {
  EXPECT_FALSE(interval_95(Samples{1}).has_value());
  const auto interval = interval_95(Samples{1, 2, 3, 4, 5});
  ASSERT_TRUE(interval);
  const double reach = 2.776445 * std::sqrt(2.5) / std::sqrt(5.0);
  EXPECT_NEAR(interval->low, 3 - reach, 1e-9);
  EXPECT_NEAR(interval->high, 3 + reach, 1e-9);
}

/// Probability that |T| exceeds t, by Simpson's rule on the density.
double two_sided_tail(double t, double degrees) {
  const double scale = std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) /
                       std::sqrt(degrees * std::acos(-1.0));
  const auto density = [&](double x) { return scale * std::pow(1 + x * x / degrees, -(degrees + 1) / 2); };
  constexpr int kSteps = 2000;
  const double h = t / kSteps;
  double sum = density(0) + density(t);
  for (int i = 1; i < kSteps; ++i) sum += density(i * h) * (i % 2 == 0 ? 2 : 4);
  return 1 - 2 * sum * h / 3;
}

TEST(BenchStatistics, QuantilesOfStudentsT) {
  for (const int degrees : {1, 2, 3, 4, 5, 7, 9, 10, 15, 19, 24, 29, 30, 31, 40, 100, 1000, 100000})
    EXPECT_NEAR(two_sided_tail(student_t_975(static_cast<std::size_t>(degrees)), degrees), 0.05, 2e-7)
        << degrees;
  for (std::size_t degrees = 2; degrees < 200; ++degrees)
    EXPECT_LT(student_t_975(degrees), student_t_975(degrees - 1)) << degrees;
}

}  // namespace
}  // namespace armature::tools::bench
