#include "tools/verify/text.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/random.h"

namespace armature::tools::verify {
namespace {

const std::string kArea = "tokenizer";
constexpr EncodeOptions kPlain = {.add_special = false, .parse_special = false};
constexpr std::size_t kSamples = 2000;  // tokens of the vocabulary that are looked at

struct Sample {
  std::string_view name, text;
};
constexpr Sample kSamplesOfText[] = {
    {"English", "The quick brown fox doesn't jump over 13 lazy dogs; it's 3.14% faster (I'll say)."},
    {"white space", " a  b   c\n\n\td \r\n  e    \n"},
    {"source code", "int main(void) { return x[i]->y != 0x1F ? 1e-5f : a_b; }  // ok\n"},
    {"letters with marks", "Zażółć gęślą jaźń; naïve café, Ærøskøbing, e\u0301 a\u0308"},
    {"other scripts",
     "Съешь ещё этих булок. 我能吞下玻璃而不伤身体。いろはにほへと 한국어 العربية हिन्दी ไทย"},
    {"symbols", "→ ∑∫√ ½ € 🎉👩‍👩‍👧‍👦🇩🇪 \u200b\u2028 ﷽"},
};

/// Nothing for a text that the vocabulary cannot spell.
Fault round_trip(const Tokenizer& tokenizer, std::string_view text) {
  EncodeLosses losses;
  std::vector<TokenId> ids;
  try {
    ids = tokenizer.encode(text, kPlain, losses);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_argument) return {};
    throw;
  }
  if (losses.n_replaced > 0 || losses.n_unknown > 0) return {};
  const std::string back = tokenizer.decode(ids);
  if (back == text) return {};
  return compose("{} comes back from {} tokens as {}", quote(text), ids.size(), quote(back));
}

/// About kSamples ids, spread over the vocabulary.
template <class Visit>
void for_some_ids(const Tokenizer& tokenizer, const Visit& visit) {
  const std::size_t step = std::max<std::size_t>(1, tokenizer.n_vocab() / kSamples);
  for (std::size_t i = 0; i < tokenizer.n_vocab(); i += step)
    if (!visit(static_cast<TokenId>(i))) return;
}

/// The vocabulary's own words, by themselves and one behind the other.
Fault fault_of_words(const Tokenizer& tokenizer) {
  Fault fault;
  std::string text;
  for_some_ids(tokenizer, [&](TokenId id) {
    if (tokenizer.type(id) != TokenType::normal) return true;
    std::string word;
    tokenizer.append_piece(word, id, false);
    text += word;
    fault = round_trip(tokenizer, word);
    return !fault.has_value();
  });
  return fault ? fault : round_trip(tokenizer, text);
}

Fault fault_of_random_bytes(const Tokenizer& tokenizer) {
  Random random(4);
  for (const std::size_t n : {1u, 2u, 5u, 300u}) {
    std::string text(n, '\0');
    for (char& c : text) c = static_cast<char>(random.below(256));
    if (auto fault = round_trip(tokenizer, text)) return fault;
  }
  return {};
}

/// The spelling of a control token is that token, or one that is spelled alike.
Fault fault_of_control_tokens(const Tokenizer& tokenizer) {
  for (std::size_t i = 0; i < tokenizer.n_vocab(); ++i) {
    const auto id = static_cast<TokenId>(i);
    if (tokenizer.type(id) != TokenType::control || tokenizer.spelling(id).empty()) continue;
    const auto ids = tokenizer.encode(tokenizer.spelling(id), {.add_special = false, .parse_special = true});
    if (ids.size() != 1 || tokenizer.spelling(ids[0]) != tokenizer.spelling(id))
      return compose("the spelling {} of control token {} gives {} tokens", quote(tokenizer.spelling(id)), i,
                     ids.size());
  }
  return {};
}

}  // namespace

void check_tokenizer(const Tokenizer& tokenizer, const Listener& listener) {
  for (const Sample& sample : kSamplesOfText)
    listener(make_check(kArea, std::string(sample.name), round_trip(tokenizer, sample.text)));
  listener(make_check(kArea, "the vocabulary's own words", fault_of_words(tokenizer)));
  listener(make_check(kArea, "bytes that are no text", fault_of_random_bytes(tokenizer)));
  listener(make_check(kArea, "control tokens", fault_of_control_tokens(tokenizer)));
}

}  // namespace armature::tools::verify
