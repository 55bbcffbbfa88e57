#include "tools/batched_bench/decoder_work.h"

#include "tools/bench/passes.h"
#include "tools/cli/signals.h"
#include "tools/priority.h"

namespace armature::tools::batched {

using bench::PassRows;

DecoderWork::DecoderWork(Decoder& decoder, std::size_t n_batch, std::size_t n_sequences)
    : decoder_(decoder), n_batch_(n_batch), random_(bench::kTokenSeed, decoder.model().config().n_vocab) {
  for (std::size_t i = 0; i < n_sequences; ++i) sequences_.push_back(decoder.new_sequence());
  batch_.reserve(decoder.options().n_ubatch);
}

void DecoderWork::begin(std::size_t n_sequences, std::size_t n_tokens) {
  for (Sequence& sequence : sequences_) sequence.trim(0);
  for (std::size_t i = 0; i < n_sequences; ++i) sequences_[i].reserve(n_tokens);
}

bool DecoderWork::process_prompts(std::size_t n_sequences, std::size_t n_tokens) {
  const PromptPriority priority;
  const auto pass = [&](const PassRows& rows) {
    batch_.clear();
    for (std::size_t i = rows.first; i < rows.end; ++i)
      batch_.push_back({random_.next(), &sequences_[i / n_tokens], (i + 1) % n_tokens == 0});
    return decoder_.forward(batch_, interrupted);
  };
  return bench::run_passes(n_sequences * n_tokens, n_batch_, decoder_.options().n_ubatch, pass);
}

void DecoderWork::share_prompt(std::size_t n_sequences, std::size_t n_more) {
  for (std::size_t i = 1; i < n_sequences; ++i) sequences_[i] = sequences_[0].fork(sequences_[0].size());
  // The pages that they share in part are copied now, not while time is measured.
  for (std::size_t i = 0; i < n_sequences; ++i) sequences_[i].reserve(n_more);
}

bool DecoderWork::generate(std::size_t first, std::size_t n) {
  const auto pass = [&](const PassRows& rows) {
    batch_.clear();
    for (std::size_t i = rows.first; i < rows.end; ++i)
      batch_.push_back({random_.next(), &sequences_[first + i], true});
    return decoder_.forward(batch_, interrupted);
  };
  return bench::run_passes(n, n_batch_, decoder_.options().n_ubatch, pass);
}

void DecoderWork::rewind(std::size_t n_tokens, std::size_t n_more) {
  sequences_[0].trim(n_tokens);
  sequences_[0].reserve(n_more);
}

std::size_t DecoderWork::pages_in_use() const {
  const KvCache& cache = decoder_.kv_cache();
  return cache.n_pages() - cache.n_free();
}

}  // namespace armature::tools::batched
