#include "tools/bench/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace armature::tools::bench {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> out(samples.begin(), samples.end());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

double mean(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double standard_deviation(std::span<const double> samples) {
  if (samples.size() < 2) return 0;
  const double centre = mean(samples);
  double sum = 0;
  for (const double sample : samples) sum += (sample - centre) * (sample - centre);
  return std::sqrt(sum / static_cast<double>(samples.size() - 1));
}

double percentile(std::span<const double> samples, double p) {
  const std::vector<double> in_order = sorted(samples);
  const double rank = std::ceil(p / 100 * static_cast<double>(in_order.size()));
  return in_order[std::clamp<std::size_t>(static_cast<std::size_t>(rank), 1, in_order.size()) - 1];
}

Spread spread(std::span<const double> samples) {
  const std::vector<double> in_order = sorted(samples);
  const std::size_t n = in_order.size();
  return {in_order.front(), (in_order[(n - 1) / 2] + in_order[n / 2]) / 2, in_order.back()};
}

std::optional<Interval> interval_95(std::span<const double> samples) {
  if (samples.size() < 2) return std::nullopt;
  const double centre = mean(samples);
  const double reach = student_t_975(samples.size() - 1) * standard_deviation(samples) /
                       std::sqrt(static_cast<double>(samples.size()));
  return Interval{centre - reach, centre + reach};
}

double student_t_975(std::size_t degrees) {
  // The usual table, of 1 to 30 degrees.
  constexpr std::array kTable = {
      12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
      2.200985,  2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
      2.079614,  2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272};
  if (degrees <= kTable.size()) return kTable[degrees - 1];
  // Abramowitz and Stegun, 26.7.5, up to the third power of 1 / degrees: 7 digits from 31 degrees on.
  constexpr double x = 1.959963984540054;  // the same quantile of the normal distribution
  constexpr double x3 = x * x * x, x5 = x3 * x * x, x7 = x5 * x * x;
  const double n = static_cast<double>(degrees);
  return x + (x3 + x) / (4 * n) + (5 * x5 + 16 * x3 + 3 * x) / (96 * n * n) +
         (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / (384 * n * n * n);
}

}  // namespace armature::tools::bench
