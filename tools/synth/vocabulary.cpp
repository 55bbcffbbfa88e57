#include "tools/synth/vocabulary.h"

#include <string>
#include <vector>

#include "engine/tokenizer/byte_chars.h"
#include "gguf/compose.h"

namespace armature::tools::synth {
namespace {

// Numbers of tokenizer.ggml.token_type.
constexpr std::int32_t kNormal = 1;
constexpr std::int32_t kControl = 3;

std::string byte_char(int byte) {
  std::string text;
  append_byte_char(text, static_cast<std::uint8_t>(byte));
  return text;
}

/// Hands out the tokens that are not control tokens, in order, and keeps the merges that make them.
class Spelling {
 public:
  std::string next() {
    const std::size_t i = n_++;
    if (i < kBytes) return byte_char(static_cast<int>(i));
    if (i - kBytes < kPairs) return pair(i - kBytes);
    return compose("{}x{}", byte_char(' '), i);
  }
  const std::vector<std::string>& merges() const { return merges_; }

 private:
  static constexpr std::size_t kBytes = 256, kLetters = 26, kPairs = (kLetters + 1) * kLetters;

  /// A space with each letter, then each letter with each.
  std::string pair(std::size_t i) {
    const std::size_t row = i / kLetters;
    const std::string first = row == 0 ? byte_char(' ') : byte_char('a' + static_cast<int>(row - 1));
    const std::string second = byte_char('a' + static_cast<int>(i % kLetters));
    merges_.push_back(compose("{} {}", first, second));
    return first + second;
  }

  std::size_t n_ = 0;
  std::vector<std::string> merges_;
};

}  // namespace

void add_vocabulary(gguf::Writer& writer, const Shape& shape) {
  const TokenFacts& facts = shape.tokens;
  Spelling spelling;
  std::vector<std::string> tokens(shape.n_vocab);
  std::vector<std::int32_t> types(shape.n_vocab, kNormal);
  for (const ControlToken& control : facts.controls) {
    tokens[control.id] = control.text;
    types[control.id] = kControl;
  }
  for (std::string& token : tokens) {
    if (token.empty()) token = spelling.next();
  }
  writer.add("tokenizer.ggml.model", "gpt2");
  writer.add("tokenizer.ggml.pre", facts.pre);
  writer.add("tokenizer.ggml.tokens", std::span<const std::string>(tokens));
  writer.add("tokenizer.ggml.token_type", std::span<const std::int32_t>(types));
  writer.add("tokenizer.ggml.merges", std::span<const std::string>(spelling.merges()));
  writer.add("tokenizer.ggml.bos_token_id", facts.bos);
  writer.add("tokenizer.ggml.eos_token_id", facts.eos);
  writer.add("tokenizer.ggml.add_bos_token", facts.add_bos);
}

}  // namespace armature::tools::synth
