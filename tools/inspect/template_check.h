#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/tokenizer/tokenizer.h"
#include "gguf/metadata.h"

namespace armature::tools {

/// A chat template of a file, and what it makes of a plain conversation.
struct TemplateCheck {
  std::string key;
  std::size_t bytes = 0;
  std::string error;               // why it cannot be used; empty if it can
  std::string rendered;            // a conversation of a few words
  std::size_t n_tokens = 0;        // of `rendered`, without a tokenizer 0
  std::size_t n_control = 0;       // control and user-defined ones among them
  std::vector<std::string> turns;  // spellings of the tokens that end an answer, as the template shows
};

/// tokenizer.chat_template and those with a name of their own, in file order. `tokenizer` may be null.
std::vector<TemplateCheck> check_templates(const gguf::Metadata& metadata, const Tokenizer* tokenizer);

nlohmann::ordered_json to_json(const std::vector<TemplateCheck>& checks);
/// Lines for people, behind `indent` spaces.
std::string to_text(const std::vector<TemplateCheck>& checks, std::size_t indent);

}  // namespace armature::tools
