#pragma once

#include <vector>

#include "engine/chat/template.h"
#include "engine/tokenizer/tokenizer.h"

namespace armature::chat {

/// The control or user-defined tokens that a template writes right behind an answer of the assistant, or with
/// white space between: a model that was trained on it ends its turn with one of them. Found by rendering
/// conversations of a few words; empty for a template that fails on them, or that has text or nothing there.
std::vector<TokenId> find_end_tokens(const Template& parsed, const Tokenizer& tokenizer);

/// The variables of a template that a vocabulary gives: bos_token and eos_token.
void set_token_variables(RenderInputs& inputs, const Tokenizer& tokenizer);

}  // namespace armature::chat
