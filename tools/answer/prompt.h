#pragma once

#include <string>
#include <vector>

#include "engine/model.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// What the model is given to go on from.
struct EncodedPrompt {
  std::string text;  // what the tokens stand for: the prompt, or the chat turn that the template made of it
  std::vector<TokenId> tokens;      // at least one; BOS at most once in front
  std::vector<TokenId> end_tokens;  // see ChatFormat
  std::vector<std::string> notes;
};

/// Puts BOS in front if the file asks for it, unless the text has spelled it already.
void add_bos(std::vector<TokenId>& tokens, const Tokenizer& tokenizer);

/// Encodes the prompt as a chat turn where the model has a template or one is given, or as it is (--raw,
/// -no-cnv, or no template). Throws Error: bad_template or wrong_key_type (a template that cannot be used, or
/// none where -cnv asks for one), bad_argument (an empty prompt without a BOS token to go on from).
EncodedPrompt encode_prompt(const Model& model, const Arguments& args, const std::string& prompt);

/// Lines that tell what of a text was lost.
std::vector<std::string> notes_of(const EncodeLosses& losses);

}  // namespace armature::tools
