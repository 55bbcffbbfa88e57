// Files whose vocabulary is wrong or odd: what is refused, with which error, and what is tolerated.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/tokenizer/pre_rules.h"
#include "engine/tokenizer/utf8_stream.h"
#include "tests/engine/tokenizer_support.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

const std::string kPrefix = "tokenizer.ggml.";
constexpr int kHello = 50;  // the token "hello" of TinyModel

/// The error of a file, "accepted" if there is none: code, and all of `parts` must be in the message.
std::string outcome(const TinyModel& model, const std::vector<std::string>& parts = {}) {
  try {
    OwnedTokenizer tokenizer(model.bytes());
    return "accepted";
  } catch (const Error& error) {
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " in " << error.what();
    }
    return std::string(name_of(error.code()));
  }
}

template <class T>
std::string outcome_with(const std::string& key, const T& value, const std::vector<std::string>& parts = {}) {
  TinyModel model;
  return outcome(model.set(kPrefix + key, value), parts);
}

std::string outcome_without(const std::string& key, TinyModel model = TinyModel()) {
  return outcome(model.erase_key(kPrefix + key), {key});
}

std::vector<std::string> tiny_tokens() {
  std::vector<std::string> tokens;
  const OwnedTokenizer tokenizer(TinyModel().bytes());
  for (int id = 0; id < 64; ++id) tokens.emplace_back(tokenizer->spelling(TokenId(id)));
  return tokens;
}

std::vector<std::int32_t> tiny_types() {
  std::vector<std::int32_t> types(64, 1);
  types[0] = 2;
  types[1] = types[2] = 3;
  return types;
}

/// A file with some tokens replaced.
OwnedTokenizer with_tokens(const std::vector<std::tuple<std::size_t, std::string, std::int32_t>>& changes) {
  auto tokens = tiny_tokens();
  auto types = tiny_types();
  for (const auto& [id, text, type] : changes) {
    tokens[id] = text;
    types[id] = type;
  }
  TinyModel model;
  model.set(kPrefix + "tokens", tokens).set(kPrefix + "token_type", types);
  return OwnedTokenizer(model.set(kPrefix + "add_space_prefix", false).bytes());
}

TinyModel gpt2_model() {
  const TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  TinyModel model;
  model.set(kPrefix + "model", std::string("gpt2")).set(kPrefix + "pre", vocabulary.pre);
  model.set(kPrefix + "tokens", vocabulary.tokens).set(kPrefix + "token_type", vocabulary.types);
  return model.set(kPrefix + "merges", vocabulary.merges).erase_key(kPrefix + "scores");
}

OwnedTokenizer gpt2_with_merges(const std::vector<std::string>& merges) {
  return OwnedTokenizer(gpt2_model().set(kPrefix + "merges", merges).bytes());
}

TEST(TokenizerFiles, TheModelsAreGood) {
  EXPECT_EQ(outcome(TinyModel()), "accepted");
  EXPECT_EQ(outcome(gpt2_model()), "accepted");
  EXPECT_TRUE(OwnedTokenizer(TinyModel().bytes())->warnings().empty());
}

TEST(TokenizerFiles, Tokens) {
  EXPECT_EQ(outcome_without("tokens"), "missing_key");
  EXPECT_EQ(outcome_with("tokens", std::vector<std::string>()), "bad_vocab");
  EXPECT_EQ(outcome_with("tokens", std::vector<std::uint32_t>(64)), "wrong_key_type");
  EXPECT_EQ(outcome_with("tokens", std::string("a")), "wrong_key_type");
}

TEST(TokenizerFiles, Scores) {
  for (const std::size_t n : {63u, 1u, 65u}) {
    EXPECT_EQ(outcome_with("scores", std::vector<float>(n), {std::to_string(n) + " elements", "64"}),
              "bad_vocab");
  }
  EXPECT_EQ(outcome_without("scores"), "missing_key") << "SPM needs them";
  EXPECT_EQ(outcome_without("scores", gpt2_model()), "accepted");
  EXPECT_EQ(outcome_with("scores", std::vector<std::uint8_t>(64)), "wrong_key_type");
  EXPECT_EQ(outcome_with("scores", std::vector<std::string>(64)), "wrong_key_type");
  EXPECT_EQ(outcome_with("scores", 1.0f), "wrong_key_type");
  std::vector<float> scores(64);
  scores[17] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(outcome_with("scores", scores, {"token 17"}), "bad_vocab");
}

TEST(TokenizerFiles, TokenTypes) {
  EXPECT_EQ(outcome_with("token_type", std::vector<std::int32_t>(8, 1), {"8 elements", "64"}), "bad_vocab");
  EXPECT_EQ(outcome_with("token_type", std::vector<std::uint8_t>(64, 1)), "wrong_key_type");
  auto types = tiny_types();
  types[20] = 99;
  TinyModel model;
  const OwnedTokenizer tokenizer(model.set(kPrefix + "token_type", types).bytes());
  EXPECT_EQ(tokenizer->type(TokenId(20)), TokenType::normal);
  ASSERT_EQ(tokenizer->warnings().size(), 1u);
  EXPECT_NE(tokenizer->warnings()[0].find("99"), std::string::npos);
}

TEST(TokenizerFiles, SpecialIds) {
  for (const char* key : {"bos_token_id", "eos_token_id", "unknown_token_id", "eot_token_id"}) {
    for (const std::uint32_t id : {64u, 1'000'000u, 4294967294u}) {
      EXPECT_EQ(outcome_with(key, id, {key, std::to_string(id)}), "bad_vocab");
    }
  }
  TinyModel model;
  const OwnedTokenizer tokenizer(model.set<std::uint32_t>(kPrefix + "padding_token_id", 64).bytes());
  EXPECT_EQ(tokenizer->pad(), std::nullopt);
  EXPECT_EQ(tokenizer->warnings().size(), 1u);
  EXPECT_EQ(outcome_with("padding_token_id", -1), "accepted");
  EXPECT_EQ(outcome_with("padding_token_id", std::string("<pad>")), "wrong_key_type");
}

TEST(TokenizerFiles, Model) {
  EXPECT_EQ(outcome_without("model"), "missing_key");
  EXPECT_EQ(outcome_with("model", std::string("nosuchtok"), {"'nosuchtok'", "gpt2", "llama"}),
            "unknown_tokenizer");
  EXPECT_EQ(outcome_with("model", 7u), "wrong_key_type");
}

TEST(TokenizerFiles, Merges) {
  EXPECT_EQ(outcome_without("merges", gpt2_model()), "missing_key");
  EXPECT_EQ(outcome(gpt2_model().set(kPrefix + "merges", std::vector<std::uint32_t>(3))), "wrong_key_type");
  EXPECT_EQ(outcome(gpt2_model().set(kPrefix + "merges", std::string("a b"))), "wrong_key_type");
}

TEST(TokenizerFiles, MalformedMergesAreSkipped) {
  const auto tokenizer = gpt2_with_merges({"h e", "", " ", "nospace", "a b c", " a", "a ", "l l"});
  EXPECT_EQ(ids_of(*tokenizer, "hello"), (Ids{262, 263, 111}));
  ASSERT_EQ(tokenizer->warnings().size(), 1u);
  EXPECT_NE(tokenizer->warnings()[0].find("merge 1"), std::string::npos);
}

TEST(TokenizerFiles, MergesThatMakeNoToken) {
  const auto tokenizer = gpt2_with_merges({"x y", "xy z", "h e", "h e", "q qq"});
  EXPECT_EQ(ids_of(*tokenizer, "xyzhe"), (Ids{120, 121, 122, 262}));
}

TEST(TokenizerFiles, PreTokenizer) {
  const std::vector<std::string> parts = {"--override-kv tokenizer.ggml.pre=str:NAME", "llama-bpe", "smollm"};
  EXPECT_EQ(outcome(gpt2_model().set(kPrefix + "pre", std::string("nosuchpre")), parts),
            "unknown_pre_tokenizer");
  EXPECT_EQ(outcome(gpt2_model().erase_key(kPrefix + "pre"), parts), "unknown_pre_tokenizer");
  EXPECT_EQ(outcome(gpt2_model().set(kPrefix + "pre", 1u)), "wrong_key_type");
  for (const PreRule& rule : pre_rules()) {
    EXPECT_EQ(outcome(gpt2_model().set(kPrefix + "pre", std::string(rule.name))), "accepted") << rule.name;
  }
  EXPECT_EQ(outcome_with("pre", std::string("default")), "accepted") << "SPM does not cut";
}

TEST(TokenizerFiles, FlagsOfAnotherType) {
  EXPECT_EQ(outcome_with("add_bos_token", 1u), "wrong_key_type");
  EXPECT_EQ(outcome_with("add_eos_token", 1u), "wrong_key_type");
  EXPECT_EQ(outcome_with("add_space_prefix", std::string("yes")), "wrong_key_type");
}

TEST(TokenizerFiles, BosThatIsNotThere) {
  TinyModel model;
  const OwnedTokenizer tokenizer(model.erase_key(kPrefix + "bos_token_id").bytes());
  EXPECT_FALSE(tokenizer->add_bos());
  EXPECT_EQ(tokenizer->warnings().size(), 1u);
  EXPECT_TRUE(tokenizer->encode("").empty());
}

TEST(TokenizerFiles, OneTextTwice) {
  const auto tokenizer = with_tokens({{60, "hello", 1}, {61, "<s>", 3}});
  EXPECT_EQ(ids_of(*tokenizer, "hello"), (Ids{kHello}));
  EXPECT_EQ(ids_of(*tokenizer, "<s>"), (Ids{1}));
  EXPECT_EQ(tokenizer->decode(to_tokens({kHello, 60, 61})), "hellohello<s>");
}

TEST(TokenizerFiles, EmptyTexts) {
  for (const std::int32_t type : {1, 3, 4, 6}) {
    const auto tokenizer = with_tokens({{60, "", type}});
    EXPECT_EQ(ids_of(*tokenizer, "hello"), (Ids{kHello})) << type;
    EXPECT_EQ(tokenizer->decode(to_tokens({60, kHello})), "hello") << type;
  }
}

TEST(TokenizerFiles, TextsThatAreNoText) {
  const auto tokenizer = with_tokens({{60, "\xFF\xFE", 1}, {61, std::string(300'000, 'x'), 3}});
  std::string shown;
  Utf8Stream stream;
  stream.push(tokenizer->decode(to_tokens({60, kHello})), shown);
  EXPECT_EQ(shown, "\uFFFD\uFFFDhello");
  EXPECT_EQ(ids_of(*tokenizer, std::string(300'000, 'x')), (Ids{61}));
}

TEST(TokenizerFiles, ByteTokensThatNameNoByte) {
  for (const char* text : {"<0xZZ>", "<0x-1>", "<0x", "", "<0x041>", "0x41"}) {
    const auto tokenizer = with_tokens({{60, text, 6}, {61, "<0x7e>", 6}});
    EXPECT_EQ(tokenizer->type(TokenId(60)), TokenType::normal) << text;
    EXPECT_EQ(tokenizer->warnings().size(), 1u) << text;
    EXPECT_EQ(ids_of(*tokenizer, "~"), (Ids{61}));
    EXPECT_EQ(tokenizer->decode(to_tokens({60, 61})), std::string(text) + "~");
  }
}

TEST(TokenizerFiles, BytesWithoutTokens) {
  const OwnedTokenizer tokenizer(TinyModel().set(kPrefix + "add_space_prefix", false).bytes());
  EXPECT_EQ(ids_of(*tokenizer, "hello~é"), (Ids{kHello, 0, 0, 0}));
  TinyModel model;
  model.erase_key(kPrefix + "unknown_token_id").set(kPrefix + "token_type", std::vector<std::int32_t>(64, 1));
  EXPECT_EQ(outcome(model), "bad_vocab");
}

}  // namespace
}  // namespace armature::test
