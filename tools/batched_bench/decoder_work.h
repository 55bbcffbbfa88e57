#pragma once

#include <vector>

#include "engine/decoder.h"
#include "tools/batched_bench/work.h"
#include "tools/bench/random_tokens.h"

namespace armature::tools::batched {

/// A model that decodes random tokens for several sequences: no sampling, no text. Interrupted by SIGINT.
class DecoderWork : public Work {
 public:
  /// Rows come in chunks of n_batch, these in passes of the decoder's n_ubatch; logits are wanted for the
  /// last token of each prompt and for every generated one. No call may name more than n_sequences.
  DecoderWork(Decoder& decoder, std::size_t n_batch, std::size_t n_sequences);

  void begin(std::size_t n_sequences, std::size_t n_tokens) override;
  bool process_prompts(std::size_t n_sequences, std::size_t n_tokens) override;
  void share_prompt(std::size_t n_sequences, std::size_t n_more) override;
  bool generate(std::size_t first, std::size_t n) override;
  void rewind(std::size_t n_tokens, std::size_t n_more) override;
  std::size_t pages_in_use() const override;

 private:
  Decoder& decoder_;
  std::size_t n_batch_;
  bench::RandomTokens random_;
  std::vector<Sequence> sequences_;
  Batch batch_;
};

}  // namespace armature::tools::batched
