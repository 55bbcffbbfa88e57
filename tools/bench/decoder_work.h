#pragma once

#include <optional>
#include <vector>

#include "engine/decoder.h"
#include "tools/bench/measure.h"
#include "tools/bench/random_tokens.h"

namespace armature::tools::bench {

/// A model that decodes random tokens: no sampling, no text. Interrupted by SIGINT.
class DecoderWork : public Work {
 public:
  /// The prompt comes in chunks of n_batch tokens, these in passes of the decoder's n_ubatch; logits are
  /// wanted for the last token of each chunk, and of every generated one.
  DecoderWork(Decoder& decoder, std::size_t n_batch);

  /// The tokens of the depth are processed the first time, and kept in pages that later calls share.
  bool begin(std::size_t depth, std::size_t n_next) override;
  bool process_prompt(std::size_t n_tokens) override;
  bool generate_token() override;

 private:
  bool process(Sequence& sequence, std::size_t n_tokens);
  bool fill(std::size_t depth);

  Decoder& decoder_;
  std::size_t n_batch_;
  RandomTokens random_;
  std::vector<TokenId> prompt_;   // the ids of the longest one so far
  std::optional<Sequence> kept_;  // the tokens of the depth
  Sequence sequence_;
  Batch batch_;
};

}  // namespace armature::tools::bench
