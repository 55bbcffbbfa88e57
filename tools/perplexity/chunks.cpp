#include "tools/perplexity/chunks.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools::perplexity {

std::vector<TokenId> encode_text(const Tokenizer& tokenizer, std::string_view text, EncodeLosses& losses) {
  EncodeOptions options;
  options.add_special = false;
  options.parse_special = false;
  std::vector<TokenId> tokens = tokenizer.encode(text, options, losses);
  if (tokenizer.add_bos()) tokens.insert(tokens.begin(), *tokenizer.bos());
  return tokens;
}

Chunks cut_into_chunks(std::vector<TokenId> tokens, std::size_t n_ctx, std::size_t n_most,
                       const std::string& name) {
  if (tokens.size() < 2 * n_ctx) {
    throw Error(ErrorCode::bad_argument, {name, {}, {}},
                compose("{} tokens; at least {} are needed, two chunks of {}; -c sets their size",
                        tokens.size(), 2 * n_ctx, n_ctx));
  }
  tokens.resize(std::min(tokens.size() / n_ctx, n_most) * n_ctx);
  return {n_ctx, std::move(tokens)};
}

void check_same_text(const Chunks& chunks, std::span<const TokenId> tokens, const std::string& name,
                     const std::string& base) {
  const auto [held, given] =
      std::mismatch(chunks.tokens.begin(), chunks.tokens.end(), tokens.begin(), tokens.end());
  if (held == chunks.tokens.end()) return;
  const Place place = {name, {}, {}};
  const auto at = held - chunks.tokens.begin();
  if (given == tokens.end()) {
    throw Error(ErrorCode::bad_argument, place,
                compose("{} tokens, where {} holds {}", tokens.size(), quote(base), chunks.tokens.size()));
  }
  throw Error(ErrorCode::bad_argument, place,
              compose("token {} of the text is {}, but {} in {}: another text or another vocabulary", at,
                      static_cast<std::int32_t>(*given), static_cast<std::int32_t>(*held), quote(base)));
}

}  // namespace armature::tools::perplexity
