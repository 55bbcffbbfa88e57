#pragma once

#include <cstddef>
#include <span>

/// Numbers that sum up values of tokens. Pure.
namespace armature::tools::perplexity {

/// The mean of values that come one by one, and how far off it may be: Welford's recurrence, which loses no
/// digits where the values lie close together.
class RunningMean {
 public:
  void add(double value) {
    ++n_;
    const double distance = value - mean_;
    mean_ += distance / static_cast<double>(n_);
    squares_ += distance * (value - mean_);
  }

  std::size_t n() const { return n_; }
  double mean() const { return mean_; }
  /// The standard deviation of the mean, if the values are independent: the root of
  /// sum((x - mean)^2) / (n (n - 1)). 0 with fewer than two values.
  double error() const;

 private:
  std::size_t n_ = 0;
  double mean_ = 0, squares_ = 0;
};

/// A number and its error.
struct Estimate {
  double value = 0, error = 0;
};
inline Estimate estimate(const RunningMean& mean) { return {mean.mean(), mean.error()}; }
/// exp of a number.
Estimate exponential(Estimate e);
/// The root of a number of at least 0; without error at 0.
Estimate square_root(Estimate e);
/// The share k of n, with the error of independent draws: the root of p (1 - p) / (n - 1).
Estimate share(std::size_t k, std::size_t n);

/// Of ascending values, at least one: that at `fraction` (0 to 1) of the way from the first to the last, on
/// the straight line between its two neighbours.
double quantile(std::span<const double> ascending, double fraction);

}  // namespace armature::tools::perplexity
