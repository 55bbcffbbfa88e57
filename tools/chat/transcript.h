#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/byte_range.h"
#include "engine/chat/template.h"
#include "engine/tokenizer/tokenizer.h"
#include "tools/answer/generate.h"

namespace armature::tools {

/// The tokens of a part of a rendering. `continues` as in EncodeOptions.
std::vector<TokenId> encode_part(const Tokenizer& tokenizer, const chat::Rendered& rendered, ByteRange part,
                                 bool continues);

/// A conversation as the model has read and made it: a text, and the tokens that stand for it. Tokens that
/// the model made are kept as they are: encoding their text could give others.
class Transcript {
 public:
  /// Empty. The tokenizer must outlive it.
  explicit Transcript(const Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  /// The transcript of another rendering. As far as this one's text is the front of it, the tokens stay, up
  /// to the last place where an encoding may begin anew: the end of what was encoded or answered at a time.
  /// From there on the text is encoded. BOS is in front if the file asks for it. Throws Error bad_argument as
  /// Tokenizer::encode().
  Transcript with(const chat::Rendered& rendered) const;

  /// Adds what the model made behind it: the tokens, and the text of them that was shown. A token that ended
  /// the answer stands for its spelling; of those that a stop string cut off none is added.
  void append_answer(std::span<const TokenId> tokens, std::string_view text, StopReason reason);

  std::span<const TokenId> tokens() const { return tokens_; }
  const std::string& text() const { return text_; }

 private:
  /// A place where the text before and the tokens before stand for each other.
  struct Cut {
    std::size_t n_text, n_tokens;
  };

  std::size_t agreeing_bytes(const chat::Rendered& rendered) const;
  void cut_back(Cut cut);
  void encode_rest(const chat::Rendered& rendered);
  std::size_t begin_of_last_token(std::string_view text) const;
  void append(std::span<const TokenId> tokens, std::string_view text, bool literal);

  const Tokenizer* tokenizer_;
  std::string text_;
  std::vector<ByteRange> literal_;  // as in chat::Rendered
  std::vector<TokenId> tokens_;
  std::vector<Cut> cuts_;  // ascending; the last is the end of both, unless they are empty
};

}  // namespace armature::tools
