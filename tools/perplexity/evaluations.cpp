#include "tools/perplexity/evaluations.h"

#include <utility>

#include "tools/perplexity/packed_row.h"

namespace armature::tools::perplexity {

Likelihood::Likelihood(std::size_t n_places, std::size_t n_vocab, KlFileWriter* writer, Notice notice)
    : writer_(writer), notice_(std::move(notice)), values_(n_places) {
  if (writer_ != nullptr) rows_.resize(n_places * packed_row_bytes(n_vocab));
}

void Likelihood::score(std::size_t place, std::span<const float> logits, TokenId next) noexcept {
  const double log_sum = log_sum_exp(logits);
  values_[place] = log_sum - static_cast<double>(logits[static_cast<std::size_t>(next)]);
  if (writer_ != nullptr) pack_row(logits, log_sum, rows_.data() + place * packed_row_bytes(logits.size()));
}

void Likelihood::end_chunk(std::size_t chunk) {
  RunningMean of_chunk;
  for (const double value : values_) {
    nll_.add(value);
    of_chunk.add(value);
  }
  nll_of_chunks_.push_back(of_chunk.mean());
  if (writer_ != nullptr) writer_->write_rows(rows_);
  notice_(chunk, nll_);
}

Comparison::Comparison(KlFileReader& base, Notice notice)
    : base_(base), notice_(std::move(notice)), values_(base.chunks().n_places()) {}

void Comparison::begin_chunk(std::size_t) { rows_ = base_.read_rows(); }

void Comparison::score(std::size_t place, std::span<const float> logits, TokenId next) noexcept {
  const PackedRow row(rows_.data() + place * packed_row_bytes(logits.size()));
  values_[place] = compare(logits, next, row);
}

void Comparison::end_chunk(std::size_t chunk) {
  RunningMean kld, nll;
  for (const TokenDivergence& value : values_) {
    divergence_.add(value);
    kld.add(value.kld);
    nll.add(value.nll);
  }
  kld_of_chunks_.push_back(kld.mean());
  nll_of_chunks_.push_back(nll.mean());
  notice_(chunk, divergence_);
}

}  // namespace armature::tools::perplexity
