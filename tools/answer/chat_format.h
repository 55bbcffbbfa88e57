#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/chat/template.h"
#include "engine/tokenizer/tokenizer.h"
#include "gguf/metadata.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// A chat template ready to use with one model.
class ChatFormat {
 public:
  /// Of the template that find_template() finds, with the variables of template_variables(). Throws as these
  /// do, and Error bad_template.
  static std::optional<ChatFormat> find(const gguf::Metadata& metadata, const Tokenizer& tokenizer,
                                        const Arguments& args);

  /// The conversation as the model is to read it, `add_generation_prompt` with the head of the answer that is
  /// to follow. Throws Error bad_template.
  chat::Rendered render(std::span<const chat::Message> messages, bool add_generation_prompt) const;

  /// The tokens that end the assistant's turn as the template writes it (see find_end_tokens()); none where
  /// it does not show any. Those that Tokenizer::is_end_of_generation() knows count besides.
  std::span<const TokenId> end_tokens() const { return end_tokens_; }

 private:
  ChatFormat(chat::Template parsed, std::string file, const Tokenizer& tokenizer, const Arguments& args);

  chat::Template template_;
  std::string file_;           // of the template, for errors; may be empty
  chat::RenderInputs inputs_;  // but for the messages
  std::vector<TokenId> end_tokens_;
};

}  // namespace armature::tools
