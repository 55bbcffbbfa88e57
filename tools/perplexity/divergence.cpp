#include "tools/perplexity/divergence.h"

#include <algorithm>
#include <cmath>

namespace armature::tools::perplexity {
namespace {

constexpr float kLeastLogProbability = -16;

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TokenDivergence compare(std::span<const float> logits, TokenId next, const PackedRow& base) noexcept {
  const double log_sum = log_sum_exp(logits);
  TokenDivergence out;
  std::size_t top = 0, top_base = 0;
  float best_base = base.log_probability(0);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const float log_p_base = base.log_probability(i);
    if (logits[i] > logits[top]) top = i;
    if (log_p_base > best_base) {
      best_base = log_p_base;
      top_base = i;
    }
    if (log_p_base <= kLeastLogProbability) continue;
    const double log_p = static_cast<double>(logits[i]) - log_sum;
    out.kld += std::exp(static_cast<double>(log_p_base)) * (static_cast<double>(log_p_base) - log_p);
  }
  const auto token = static_cast<std::size_t>(next);
  out.nll = log_sum - static_cast<double>(logits[token]);
  out.nll_base = -static_cast<double>(base.log_probability(token));
  out.delta_p = std::exp(-out.nll) - std::exp(-out.nll_base);
  out.same_top = top == top_base;
  return out;
}

void Divergence::add(const TokenDivergence& token) {
  nll_.add(token.nll);
  nll_base_.add(token.nll_base);
  ln_ratio_.add(token.nll - token.nll_base);
  kld_.add(token.kld);
  delta_p_.add(token.delta_p);
  delta_p_squared_.add(token.delta_p * token.delta_p);
  n_same_top_ += token.same_top ? 1 : 0;
  kld_values_.push_back(token.kld);
  delta_p_values_.push_back(token.delta_p);
}

/// Of the two means: the variance of a difference is the sum of variances less twice the covariance.
double Divergence::covariance() const {
  const double a = nll_.error(), b = nll_base_.error(), difference = ln_ratio_.error();
  return (a * a + b * b - difference * difference) / 2;
}

double Divergence::correlation() const {
  const double product = nll_.error() * nll_base_.error();
  return product > 0 ? covariance() / product : 0.0;
}

Estimate Divergence::ppl_difference() const {
  const Estimate a = exponential(nll()), b = exponential(nll_base());
  const double variance = a.error * a.error + b.error * b.error - 2 * a.value * b.value * covariance();
  return {a.value - b.value, std::sqrt(std::max(variance, 0.0))};
}

std::vector<double> Divergence::sorted_kld() const { return sorted(kld_values_); }
std::vector<double> Divergence::sorted_delta_p() const { return sorted(delta_p_values_); }

}  // namespace armature::tools::perplexity
