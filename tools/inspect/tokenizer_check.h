#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/tokenizer/tokenizer.h"
#include "gguf/metadata.h"

namespace armature::tools {

/// A text that did not come back as it was from tokens, and what came instead.
struct LostText {
  std::string text, instead;  // or why it has no tokens
};

/// What a tokenizer is, and how it does on a few texts.
struct TokenizerCheck {
  struct Special {
    std::string name;  // "bos", ...
    TokenId id;
    std::string spelling;
  };
  std::string model, pre;  // the file's keys; empty where it has none
  std::size_t n_vocab = 0;
  std::map<std::string, std::size_t> types;  // how many tokens of each: "normal", ...
  std::vector<Special> specials;             // those that are there
  std::vector<Special> ends;                 // the tokens that end an answer; without name
  bool add_bos = false, add_eos = false;
  std::size_t n_texts = 0;     // that were encoded and decoded
  std::vector<LostText> lost;  // those of them that changed

  static TokenizerCheck of(const Tokenizer& tokenizer, const gguf::Metadata& metadata);
};

nlohmann::ordered_json to_json(const TokenizerCheck& check);
/// Lines for people, behind `indent` spaces.
std::string to_text(const TokenizerCheck& check, std::size_t indent);

}  // namespace armature::tools
