#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/token.h"
#include "tools/perplexity/packed_row.h"
#include "tools/perplexity/statistics.h"

/// How far a model's predictions are from those of a base, of which packed rows are known.
namespace armature::tools::perplexity {

/// Of one predicted token.
struct TokenDivergence {
  double nll = 0, nll_base = 0;  // negative log-likelihood of the token that follows
  double kld = 0;                // sum of p_base ln(p_base / p) over the vocabulary
  double delta_p = 0;            // p - p_base of the token that follows
  bool same_top = false;         // both hold the same token for the most probable; of equals the first
};

/// `base` is of as many tokens as there are logits. Tokens with a log-probability of -16 or less in the base
/// are left out of kld, as in llama-perplexity: the file does not tell them apart.
TokenDivergence compare(std::span<const float> logits, TokenId next, const PackedRow& base) noexcept;

/// Of all tokens so far.
class Divergence {
 public:
  void add(const TokenDivergence& token);

  std::size_t n() const { return nll_.n(); }
  Estimate nll() const { return estimate(nll_); }
  Estimate nll_base() const { return estimate(nll_base_); }
  /// ln(PPL / PPL of the base). The two go up and down together, so its error is that of the differences.
  Estimate ln_ratio() const { return estimate(ln_ratio_); }
  /// Of ln PPL and ln PPL of the base; 0 where one of them has no error.
  double correlation() const;
  /// PPL - PPL of the base.
  Estimate ppl_difference() const;
  Estimate kld() const { return estimate(kld_); }
  Estimate delta_p() const { return estimate(delta_p_); }
  Estimate rms_delta_p() const { return square_root(estimate(delta_p_squared_)); }
  Estimate same_top() const { return share(n_same_top_, n()); }

  /// Of every token, ascending.
  std::vector<double> sorted_kld() const;
  std::vector<double> sorted_delta_p() const;

 private:
  double covariance() const;

  RunningMean nll_, nll_base_, ln_ratio_, kld_, delta_p_, delta_p_squared_;
  std::size_t n_same_top_ = 0;
  std::vector<double> kld_values_, delta_p_values_;
};

}  // namespace armature::tools::perplexity
