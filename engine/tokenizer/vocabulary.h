#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/token.h"
#include "engine/tokenizer/index_table.h"
#include "engine/tokenizer/tokenizer.h"
#include "gguf/metadata.h"

namespace armature {

/// The `tokenizer.ggml` keys that all kinds of tokenizer share, checked. Immutable; spellings are views into
/// the file.
class Vocabulary {
 public:
  /// Throws Error missing_key, wrong_key_type or bad_vocab.
  explicit Vocabulary(const gguf::Metadata& metadata);

  std::size_t size() const { return spellings_.size(); }
  bool contains(TokenId id) const { return static_cast<std::size_t>(id) < size(); }
  std::string_view spelling(TokenId id) const { return spellings_[static_cast<std::size_t>(id)]; }
  TokenType type(TokenId id) const { return types_[static_cast<std::size_t>(id)]; }
  bool has_scores() const { return !scores_.empty(); }
  float score(TokenId id) const { return scores_[static_cast<std::size_t>(id)]; }

  /// The normal token of this spelling; the lowest id if there are several.
  std::optional<TokenId> find_normal(std::string_view text) const;
  /// Bytes of the longest normal token.
  std::size_t longest_normal() const { return longest_normal_; }
  /// The token of type byte for this byte, spelled "<0x0A>".
  std::optional<TokenId> byte_token(std::uint8_t byte) const { return byte_tokens_[byte]; }
  /// The byte that a token of type byte stands for.
  std::uint8_t byte_of(TokenId id) const;

  std::optional<TokenId> bos, eos, eot, eom, unk, pad;
  bool is_end_of_generation(TokenId id) const;

  std::span<const std::string> warnings() const { return warnings_; }

 private:
  void read_types(const gguf::Metadata& metadata);
  void read_scores(const gguf::Metadata& metadata);
  void read_special_ids(const gguf::Metadata& metadata);
  std::optional<TokenId> read_id(const gguf::Metadata& metadata, std::string_view key) const;
  void index_tokens();

  std::vector<std::string_view> spellings_;
  std::vector<TokenType> types_;
  std::vector<float> scores_;  // empty, or one for each token
  IndexTable normal_;
  std::size_t longest_normal_ = 0;
  std::array<std::optional<TokenId>, 256> byte_tokens_;
  std::vector<TokenId> ends_;  // that end generation
  std::vector<std::string> warnings_;
};

}  // namespace armature
