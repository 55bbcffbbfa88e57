#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tokenizer/fragment_encoder.h"
#include "engine/tokenizer/vocabulary.h"

namespace armature {

/// SentencePiece-like BPE (`tokenizer.ggml.model` = llama): characters are joined to the tokens with the
/// highest scores; what is no token falls apart into byte tokens. A space is spelled U+2581.
class Spm : public FragmentEncoder {
 public:
  /// `vocabulary` must outlive it. Throws Error missing_key without scores, bad_vocab if a byte has no token
  /// and there is no unknown token.
  Spm(const Vocabulary& vocabulary, const gguf::Metadata& metadata);

  void encode(std::string_view fragment, bool continues, std::vector<TokenId>& ids,
              EncodeLosses& losses) const override;
  void append_text(std::string& out, std::string_view spelling) const override;
  bool adds_space() const override { return add_space_prefix_; }

 private:
  /// A stretch of the text, in a list linked by index.
  struct Symbol {
    std::uint32_t begin, length;  // bytes; length 0 once joined to another
    std::uint32_t previous, next;
  };
  /// A symbol and the next, whose text together is a token.
  struct Pair {
    float score;
    std::uint32_t left, length;                // of both
    bool operator<(const Pair& other) const {  // the greatest is joined first: highest score, then leftmost
      return score != other.score ? score < other.score : left > other.left;
    }
  };
  std::vector<Symbol> merged_symbols(std::string_view text) const;
  void append_symbol(std::string_view text, std::vector<TokenId>& ids, EncodeLosses& losses) const;

  const Vocabulary* vocabulary_;
  bool add_space_prefix_;
};

}  // namespace armature
