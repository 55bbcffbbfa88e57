#pragma once

#include <cstddef>
#include <optional>
#include <span>

/// Numbers that sum up samples. Pure; no sample is changed.
namespace armature::tools::bench {

/// Of at least one sample.
double mean(std::span<const double> samples);
/// Of the sample (n - 1), in two passes: 0 with one sample.
double standard_deviation(std::span<const double> samples);

/// The smallest sample that at least p percent of all samples do not exceed ("nearest rank": the one at
/// ceil(p / 100 * n), counted from 1). 0 < p <= 100; of at least one sample.
double percentile(std::span<const double> samples, double p);

struct Spread {
  double min = 0, median = 0, max = 0;  // the median of an even number: half way between the middle two
};
Spread spread(std::span<const double> samples);

/// Where the mean lies with a probability of 95 % if the samples are independent and normal: mean -+
/// t * stddev / sqrt(n). Nothing with one sample.
struct Interval {
  double low = 0, high = 0;
};
std::optional<Interval> interval_95(std::span<const double> samples);

/// The quantile 0.975 of Student's t with this many degrees of freedom, at least 1.
double student_t_975(std::size_t degrees);

}  // namespace armature::tools::bench
