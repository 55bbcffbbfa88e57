#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "tools/perplexity/divergence.h"
#include "tools/perplexity/kl_file.h"
#include "tools/perplexity/runner.h"
#include "tools/perplexity/statistics.h"

namespace armature::tools::perplexity {

/// The negative log-likelihood of the text; and the file of a base, if there is a writer.
class Likelihood : public Evaluation {
 public:
  /// Told after each chunk, counted from 0, what all so far give.
  using Notice = std::function<void(std::size_t chunk, const RunningMean& nll)>;
  Likelihood(std::size_t n_places, std::size_t n_vocab, KlFileWriter* writer, Notice notice);

  void begin_chunk(std::size_t) override {}
  void score(std::size_t place, std::span<const float> logits, TokenId next) noexcept override;
  void end_chunk(std::size_t chunk) override;

  const RunningMean& nll() const { return nll_; }
  /// The mean of each chunk by itself.
  std::span<const double> nll_of_chunks() const { return nll_of_chunks_; }

 private:
  KlFileWriter* writer_;
  Notice notice_;
  std::vector<double> values_;   // of the places of this chunk
  std::vector<std::byte> rows_;  // the same, packed; without a writer none
  RunningMean nll_;
  std::vector<double> nll_of_chunks_;
};

/// The divergence from the base of a file.
class Comparison : public Evaluation {
 public:
  using Notice = std::function<void(std::size_t chunk, const Divergence& divergence)>;
  Comparison(KlFileReader& base, Notice notice);

  void begin_chunk(std::size_t chunk) override;
  void score(std::size_t place, std::span<const float> logits, TokenId next) noexcept override;
  void end_chunk(std::size_t chunk) override;

  const Divergence& divergence() const { return divergence_; }
  /// The divergence of each chunk by itself.
  std::span<const double> kld_of_chunks() const { return kld_of_chunks_; }
  std::span<const double> nll_of_chunks() const { return nll_of_chunks_; }

 private:
  KlFileReader& base_;
  Notice notice_;
  std::span<const std::byte> rows_;
  std::vector<TokenDivergence> values_;
  Divergence divergence_;
  std::vector<double> kld_of_chunks_, nll_of_chunks_;
};

}  // namespace armature::tools::perplexity
