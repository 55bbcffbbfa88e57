#include "tools/perplexity/runner.h"

#include <algorithm>

namespace armature::tools::perplexity {

Runner::Runner(Decoder& decoder, const Chunks& chunks, std::size_t n_sequences, std::optional<TokenId> bos)
    : decoder_(decoder),
      chunks_(chunks),
      n_sequences_(n_sequences),
      bos_(bos),
      team_(decoder.options().n_threads, {decoder.options().threads}) {}

bool Runner::run(Evaluation& evaluation, const Stop& stop, const PassDone& pass_done) {
  n_processed_ = n_scored_ = 0;
  for (std::size_t first = 0; first < chunks_.size(); first += n_sequences_) {
    const std::size_t n = std::min(n_sequences_, chunks_.size() - first);
    if (!run_group(first, n, evaluation, stop, pass_done)) return false;
  }
  return true;
}

/// The last token of a chunk is predicted and predicts nothing: it is not processed.
bool Runner::run_group(std::size_t first, std::size_t n, Evaluation& evaluation, const Stop& stop,
                       const PassDone& pass_done) {
  std::vector<Sequence> sequences;
  for (std::size_t i = 0; i < n; ++i) sequences.push_back(decoder_.new_sequence());
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const TokenId> tokens = chunks_[first + i];
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
      const TokenId token = at == 0 && bos_ ? *bos_ : tokens[at];
      batch_.push_back({token, &sequences[i], at >= chunks_.first_place()});
      if (batch_.size() == decoder_.options().n_ubatch && !pass(evaluation, stop, pass_done)) return false;
    }
  }
  return batch_.empty() || pass(evaluation, stop, pass_done);
}

bool Runner::pass(Evaluation& evaluation, const Stop& stop, const PassDone& pass_done) {
  const bool done = decoder_.forward(batch_, stop);
  n_processed_ += batch_.size();
  batch_.clear();
  if (!done) return false;
  pass_done(n_processed_);
  score_pass(evaluation);
  return true;
}

/// The logits of a pass may be those of several chunks, or of parts of them.
void Runner::score_pass(Evaluation& evaluation) {
  const std::size_t n_places = chunks_.n_places();
  for (std::size_t i = 0; i < decoder_.n_logits();) {
    const std::size_t chunk = n_scored_ / n_places, place = n_scored_ % n_places;
    const std::size_t n = std::min(decoder_.n_logits() - i, n_places - place);
    if (place == 0) evaluation.begin_chunk(chunk);
    score(i, n, chunk, place, evaluation);
    n_scored_ += n;
    i += n;
    if (place + n == n_places) evaluation.end_chunk(chunk);
  }
}

/// n rows of logits from the first one on, which are those of a chunk from a place on.
void Runner::score(std::size_t first, std::size_t n, std::size_t chunk, std::size_t place,
                   Evaluation& evaluation) {
  team_.run(team_.size(), [&](Team::Worker& worker) {
    worker.for_each(n, [&](std::size_t i) {
      evaluation.score(place + i, decoder_.logits(first + i), chunks_.next(chunk, place + i));
    });
  });
}

std::size_t Runner::most_scored_rows(std::size_t n_ubatch, std::size_t n_ctx) {
  // A pass may begin with the scored half of one chunk and end with that of another.
  const std::size_t n_scored = n_ctx - 1 - n_ctx / 2;
  return std::min(n_ubatch, (n_ubatch / (n_ctx - 1) + 1) * n_scored);
}

}  // namespace armature::tools::perplexity
