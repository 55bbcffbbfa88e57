#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/token.h"
#include "engine/tokenizer/tokenizer.h"

namespace armature::tools::perplexity {

/// Fewest tokens of a chunk: one of them is scored.
inline constexpr std::size_t kMinChunk = 4;

/// A text, cut from the front into chunks of n_ctx tokens, each of which a model reads by itself. The model
/// predicts the tokens of the second half: the logits at positions first_place() to n_ctx - 2, its "places",
/// are those of the tokens behind them. That is the method of llama-perplexity.
struct Chunks {
  std::size_t n_ctx = 0;
  std::vector<TokenId> tokens;  // of whole chunks, one after the other

  std::size_t size() const { return tokens.size() / n_ctx; }
  std::span<const TokenId> operator[](std::size_t chunk) const {
    return std::span(tokens).subspan(chunk * n_ctx, n_ctx);
  }
  std::size_t first_place() const { return n_ctx / 2; }
  std::size_t n_places() const { return n_ctx - 1 - first_place(); }  // of a chunk
  /// The token that is to be predicted at a place of a chunk, counted from 0.
  TokenId next(std::size_t chunk, std::size_t place) const {
    return tokens[chunk * n_ctx + first_place() + place + 1];
  }
};

/// The ids of a text as perplexity is measured: BOS in front if the file asks for it, never EOS, and
/// spellings of control tokens are ordinary text.
std::vector<TokenId> encode_text(const Tokenizer& tokenizer, std::string_view text, EncodeLosses& losses);

/// The whole chunks of `tokens`, and of these at most n_most. n_ctx is at least kMinChunk. `name` stands for
/// the text in errors. Throws Error bad_argument for less than two chunks.
Chunks cut_into_chunks(std::vector<TokenId> tokens, std::size_t n_ctx, std::size_t n_most,
                       const std::string& name);

/// Throws Error bad_argument unless `tokens` begin as the chunks do, which `base` holds.
void check_same_text(const Chunks& chunks, std::span<const TokenId> tokens, const std::string& name,
                     const std::string& base);

}  // namespace armature::tools::perplexity
