#include "tools/bench/decoder_work.h"

#include <algorithm>

#include "tools/bench/passes.h"
#include "tools/cli/signals.h"

namespace armature::tools::bench {
namespace {

bool stopped() { return interrupted(); }

}  // namespace

DecoderWork::DecoderWork(Decoder& decoder, std::size_t n_batch)
    : decoder_(decoder),
      n_batch_(n_batch),
      random_(kTokenSeed, decoder.model().config().n_vocab),
      sequence_(decoder.new_sequence()) {
  batch_.reserve(decoder.options().n_ubatch);
  const Tokenizer& tokenizer = decoder.model().tokenizer();
  prompt_.push_back(tokenizer.add_bos() ? *tokenizer.bos() : random_.next());
}

bool DecoderWork::begin(std::size_t depth, std::size_t n_next) {
  sequence_.trim(0);
  while (prompt_.size() < std::max(depth, n_next)) prompt_.push_back(random_.next());
  if (depth > 0) {
    if (!fill(depth)) return false;
    sequence_ = kept_->fork(depth);
  }
  // The page that the fork shares is copied now, not while time is measured.
  sequence_.reserve(n_next);
  return true;
}

bool DecoderWork::fill(std::size_t depth) {
  if (kept_ && kept_->size() == depth) return true;
  kept_.emplace(decoder_.new_sequence());
  return process(*kept_, depth);
}

bool DecoderWork::process_prompt(std::size_t n_tokens) { return process(sequence_, n_tokens); }

bool DecoderWork::process(Sequence& sequence, std::size_t n_tokens) {
  return run_passes(n_tokens, n_batch_, decoder_.options().n_ubatch, [&](const PassRows& rows) {
    batch_.clear();
    for (std::size_t i = rows.first; i < rows.end; ++i)
      batch_.push_back({prompt_[i], &sequence, i + 1 == rows.chunk_end});
    return decoder_.forward(batch_, stopped);
  });
}

bool DecoderWork::generate_token() {
  batch_.clear();
  batch_.push_back({random_.next(), &sequence_, true});
  return decoder_.forward(batch_, stopped);
}

}  // namespace armature::tools::bench
