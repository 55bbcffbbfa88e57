#pragma once

#include <cstddef>

namespace armature::tools::batched {

/// Sequences of tokens that are timed. Calls that process tokens return when that is done, or false when it
/// was interrupted.
class Work {
 public:
  virtual ~Work() = default;
  /// Empties all sequences, then makes room for n_tokens in each of the first n_sequences.
  virtual void begin(std::size_t n_sequences, std::size_t n_tokens) = 0;
  /// Appends n_tokens to each of the first n_sequences, one sequence after the other.
  virtual bool process_prompts(std::size_t n_sequences, std::size_t n_tokens) = 0;
  /// The first n_sequences become what the first one is, and have room for n_more tokens.
  virtual void share_prompt(std::size_t n_sequences, std::size_t n_more) = 0;
  /// Appends one token to each of the n sequences from `first` on, together.
  virtual bool generate(std::size_t first, std::size_t n) = 0;
  /// The first sequence keeps its first n_tokens, and has room for n_more.
  virtual void rewind(std::size_t n_tokens, std::size_t n_more) = 0;
  /// Pages of the cache that the sequences hold.
  virtual std::size_t pages_in_use() const = 0;
};

}  // namespace armature::tools::batched
