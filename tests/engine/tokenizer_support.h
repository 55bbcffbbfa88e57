#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/tokenizer/tokenizer.h"
#include "gguf/reader.h"
#include "tests/support/vocabularies.h"

namespace armature::test {

/// A tokenizer and the bytes that it reads.
class OwnedTokenizer {
 public:
  explicit OwnedTokenizer(std::vector<std::byte> bytes)
      : bytes_(std::move(bytes)),
        file_(gguf::parse(bytes_, "test.gguf")),
        tokenizer_(Tokenizer::from(file_.metadata)) {}
  const Tokenizer& operator*() const { return *tokenizer_; }
  const Tokenizer* operator->() const { return tokenizer_.get(); }

 private:
  std::vector<std::byte> bytes_;
  gguf::File file_;
  std::unique_ptr<const Tokenizer> tokenizer_;
};

inline OwnedTokenizer make_tokenizer(const TestVocabulary& vocabulary) {
  gguf::Writer writer;
  add_vocabulary(writer, vocabulary);
  return OwnedTokenizer(writer.bytes());
}

using Ids = std::vector<int>;

inline Ids to_ints(std::span<const TokenId> ids) {
  Ids numbers;
  for (const TokenId id : ids) numbers.push_back(static_cast<int>(id));
  return numbers;
}

inline std::vector<TokenId> to_tokens(const Ids& numbers) {
  std::vector<TokenId> ids;
  for (const int number : numbers) ids.push_back(TokenId(number));
  return ids;
}

/// The ids of a text, nothing added.
inline Ids ids_of(const Tokenizer& tokenizer, std::string_view text, bool parse_special = true) {
  return to_ints(
      tokenizer.encode(text, {.add_special = false, .parse_special = parse_special, .literal = {}}));
}

}  // namespace armature::test
