#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/decoder.h"
#include "engine/parallel.h"
#include "tools/perplexity/chunks.h"

namespace armature::tools::perplexity {

/// What is made of the logits.
class Evaluation {
 public:
  virtual ~Evaluation() = default;
  /// Before the first place of a chunk.
  virtual void begin_chunk(std::size_t chunk) = 0;
  /// A place of the chunk, whose logits are those of the token `next`. By any thread, several at a time; each
  /// place once.
  virtual void score(std::size_t place, std::span<const float> logits, TokenId next) noexcept = 0;
  /// All places of the chunk are scored.
  virtual void end_chunk(std::size_t chunk) = 0;
};

/// Gives chunks to a decoder, some at a time as sequences of one batch, and their logits to an evaluation, in
/// the order of the text.
class Runner {
 public:
  using Stop = std::function<bool()>;
  using PassDone = std::function<void(std::size_t)>;

  /// `bos` takes the place of each chunk's first token. The decoder's context holds n_sequences chunks. All
  /// must outlive this.
  Runner(Decoder& decoder, const Chunks& chunks, std::size_t n_sequences, std::optional<TokenId> bos);

  /// False once `stop`, which any thread may ask, is true. `pass_done` is told after each pass how many of
  /// the n_rows() tokens have been processed. Throws Error as Decoder::forward(), and what the evaluation
  /// throws.
  bool run(Evaluation& evaluation, const Stop& stop, const PassDone& pass_done);

  std::size_t n_rows() const { return chunks_.size() * (chunks_.n_ctx - 1); }

  /// Most rows of a pass that want logits.
  static std::size_t most_scored_rows(std::size_t n_ubatch, std::size_t n_ctx);

 private:
  bool run_group(std::size_t first, std::size_t n, Evaluation& evaluation, const Stop& stop,
                 const PassDone& pass_done);
  bool pass(Evaluation& evaluation, const Stop& stop, const PassDone& pass_done);
  void score_pass(Evaluation& evaluation);
  void score(std::size_t first, std::size_t n, std::size_t chunk, std::size_t place, Evaluation& evaluation);

  Decoder& decoder_;
  const Chunks& chunks_;
  std::size_t n_sequences_;
  std::optional<TokenId> bos_;
  Team team_;
  Batch batch_;
  std::size_t n_processed_ = 0;  // rows
  std::size_t n_scored_ = 0;     // places, of all chunks
};

}  // namespace armature::tools::perplexity
