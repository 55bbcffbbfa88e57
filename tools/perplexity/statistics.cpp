#include "tools/perplexity/statistics.h"

#include <algorithm>
#include <cmath>

namespace armature::tools::perplexity {

double RunningMean::error() const {
  if (n_ < 2) return 0;
  const auto n = static_cast<double>(n_);
  return std::sqrt(squares_ / (n * (n - 1)));
}

Estimate exponential(Estimate e) {
  const double value = std::exp(e.value);
  return {value, value * e.error};
}

Estimate square_root(Estimate e) {
  const double value = std::sqrt(e.value);
  return {value, value > 0 ? 0.5 / value * e.error : 0.0};
}

Estimate share(std::size_t k, std::size_t n) {
  const double p = static_cast<double>(k) / static_cast<double>(n);
  return {p, n < 2 ? 0.0 : std::sqrt(p * (1 - p) / static_cast<double>(n - 1))};
}

double quantile(std::span<const double> ascending, double fraction) {
  const double at = fraction * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  const double rest = at - static_cast<double>(below);
  return (1 - rest) * ascending[below] + rest * ascending[above];
}

}  // namespace armature::tools::perplexity
