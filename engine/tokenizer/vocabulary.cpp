#include "engine/tokenizer/vocabulary.h"

#include <algorithm>
#include <cmath>

namespace armature {

namespace {

constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kTypesKey = "tokenizer.ggml.token_type";
constexpr std::string_view kScoresKey = "tokenizer.ggml.scores";

/// Control tokens that end a turn or a text in published models, whatever the keys of the file say: chat
/// models are often converted with the eos of their base model.
constexpr std::string_view kEndMarks[] = {
    "<|endoftext|>",          // GPT-2, Qwen, Phi
    "<|end_of_text|>",        // Llama 3, Granite
    "<|eot_id|>",             // Llama 3
    "<|eom_id|>",             // Llama 3.1, before a tool call
    "<|eot|>",                // Llama 4
    "<|eom|>",                // Llama 4
    "<|im_end|>",             // ChatML: Qwen, SmolLM, Yi
    "<|end|>",                // Phi-3
    "<end_of_turn>",          // Gemma
    "<|END_OF_TURN_TOKEN|>",  // Command R
    "<|end_of_turn|>",        // OpenChat
    "<end_of_utterance>",     // SmolVLM
    "<|return|>",             // gpt-oss
    "<|call|>",               // gpt-oss, before a tool call
    "<|EOT|>",                // DeepSeek Coder
    "<EOT>",                  // CodeLlama
    "<｜end▁of▁sentence｜>",  // DeepSeek
};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/// The byte that "<0x0A>" spells.
std::optional<std::uint8_t> spelled_byte(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
  const int high = hex_digit(text[3]);
  const int low = hex_digit(text[4]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<std::uint8_t>(high * 16 + low);
}

void check_count(const gguf::Metadata& metadata, std::string_view key, std::size_t count,
                 std::size_t n_vocab) {
  if (count == n_vocab) return;
  throw metadata.error(ErrorCode::bad_vocab, key,
                       std::to_string(count) + " elements for " + std::to_string(n_vocab) + " tokens");
}

std::vector<std::string_view> read_tokens(const gguf::Metadata& metadata) {
  const gguf::StringArray tokens = metadata.require_strings(kTokensKey);
  if (tokens.size() == 0) throw metadata.error(ErrorCode::bad_vocab, kTokensKey, "no tokens");
  if (tokens.size() > INT32_MAX) {
    throw metadata.error(ErrorCode::bad_vocab, kTokensKey,
                         std::to_string(tokens.size()) + " tokens; at most 2147483647 are possible");
  }
  std::vector<std::string_view> spellings;
  spellings.reserve(tokens.size());
  for (const std::string_view token : tokens) spellings.push_back(token);
  return spellings;
}

}  // namespace

Vocabulary::Vocabulary(const gguf::Metadata& metadata)
    : spellings_(read_tokens(metadata)), normal_(spellings_.size()) {
  read_types(metadata);
  read_scores(metadata);
  index_tokens();
  read_special_ids(metadata);
}

void Vocabulary::read_types(const gguf::Metadata& metadata) {
  types_.assign(size(), TokenType::normal);
  const auto types = metadata.find_ints(kTypesKey);
  if (!types) return;
  const gguf::ValueType element = metadata.find(kTypesKey)->element;
  if (element != gguf::ValueType::I32 && element != gguf::ValueType::U32) {
    throw metadata.error(
        ErrorCode::wrong_key_type, kTypesKey,
        "array of " + std::string(gguf::name_of(element)) + "; an array of i32 or u32 is needed");
  }
  check_count(metadata, kTypesKey, types->size(), size());
  std::size_t n_unknown = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const std::int64_t type = (*types)[i];
    if (type >= 1 && type <= 6) {
      types_[i] = static_cast<TokenType>(type);
    } else if (n_unknown++ == 0) {
      warnings_.push_back("token " + std::to_string(i) + " has the unknown type " + std::to_string(type) +
                          "; such tokens are taken as normal");
    }
  }
}

void Vocabulary::read_scores(const gguf::Metadata& metadata) {
  auto scores = metadata.find_floats(kScoresKey);
  if (!scores) return;
  check_count(metadata, kScoresKey, scores->size(), size());
  const auto nan = std::find_if(scores->begin(), scores->end(), [](float s) { return std::isnan(s); });
  if (nan != scores->end()) {
    throw metadata.error(ErrorCode::bad_vocab, kScoresKey,
                         "the score of token " + std::to_string(nan - scores->begin()) + " is not a number");
  }
  scores_ = std::move(*scores);
}

void Vocabulary::index_tokens() {
  for (std::uint32_t i = 0; i < size(); ++i) {
    const std::string_view text = spellings_[i];
    if (types_[i] == TokenType::byte) {
      if (const auto byte = spelled_byte(text)) {
        if (!byte_tokens_[*byte]) byte_tokens_[*byte] = TokenId(i);
      } else {
        warnings_.push_back("token " + std::to_string(i) + " " + quote(text) +
                            " is of type byte but names none; it is taken as normal");
        types_[i] = TokenType::normal;
      }
    }
    if (types_[i] != TokenType::normal || text.empty()) continue;
    normal_.insert(hash_text(text), i, [&](std::uint32_t other) { return spellings_[other] == text; });
    longest_normal_ = std::max(longest_normal_, text.size());
  }
}

std::optional<TokenId> Vocabulary::read_id(const gguf::Metadata& metadata, std::string_view key) const {
  const auto id = metadata.find_uint(key, 0, UINT64_MAX);
  if (!id) return std::nullopt;
  if (*id >= size()) {
    throw metadata.error(ErrorCode::bad_vocab, key,
                         "token " + std::to_string(*id) + "; there are " + std::to_string(size()));
  }
  return TokenId(static_cast<std::int32_t>(*id));
}

void Vocabulary::read_special_ids(const gguf::Metadata& metadata) {
  bos = read_id(metadata, "tokenizer.ggml.bos_token_id");
  eos = read_id(metadata, "tokenizer.ggml.eos_token_id");
  eot = read_id(metadata, "tokenizer.ggml.eot_token_id");
  eom = read_id(metadata, "tokenizer.ggml.eom_token_id");
  unk = read_id(metadata, "tokenizer.ggml.unknown_token_id");
  // Nothing depends on the padding token, and files with a wrong one are about.
  try {
    pad = read_id(metadata, "tokenizer.ggml.padding_token_id");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_vocab && error.code() != ErrorCode::bad_value) throw;
    warnings_.push_back(std::string(error.what()) + "; there is no padding token then");
  }
  if (!unk) {
    const auto unknown = std::find(types_.begin(), types_.end(), TokenType::unknown);
    if (unknown != types_.end()) unk = TokenId(static_cast<std::int32_t>(unknown - types_.begin()));
  }
  for (const auto& id : {eos, eot, eom}) {
    if (id) ends_.push_back(*id);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    if (types_[i] != TokenType::control) continue;
    const auto mark = std::find(std::begin(kEndMarks), std::end(kEndMarks), spellings_[i]);
    if (mark != std::end(kEndMarks)) ends_.push_back(TokenId(static_cast<std::int32_t>(i)));
  }
}

std::optional<TokenId> Vocabulary::find_normal(std::string_view text) const {
  const auto same = [&](std::uint32_t other) { return spellings_[other] == text; };
  const auto index = normal_.find(hash_text(text), same);
  return index ? std::optional(TokenId(static_cast<std::int32_t>(*index))) : std::nullopt;
}

std::uint8_t Vocabulary::byte_of(TokenId id) const { return *spelled_byte(spelling(id)); }

bool Vocabulary::is_end_of_generation(TokenId id) const {
  return std::find(ends_.begin(), ends_.end(), id) != ends_.end();
}

}  // namespace armature
