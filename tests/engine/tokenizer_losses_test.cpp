// Vocabularies that have no token for some bytes: what becomes of these bytes, and that it is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/tokenizer_support.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

constexpr int kEos = 276, kTag = 278;  // a control token and a user-defined one

/// byte_level_vocabulary() with one merge and without tokens for some bytes.
TestVocabulary without_bytes(const std::vector<std::size_t>& bytes) {
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.merges = {"h e"};
  for (const std::size_t byte : bytes) vocabulary.tokens[byte] = "(no byte " + std::to_string(byte) + ")";
  return vocabulary;
}

struct Encoded {
  Ids ids;
  EncodeLosses losses;
};
Encoded encode(const TestVocabulary& vocabulary, std::string_view text) {
  Encoded out;
  out.ids = to_ints(make_tokenizer(vocabulary)->encode(text, {.add_special = false}, out.losses));
  return out;
}

std::string refusal(const TestVocabulary& vocabulary, std::string_view text) {
  try {
    encode(vocabulary, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    return error.what();
  }
  return "(accepted)";
}

TEST(TokenizerLosses, NoneWhereEachByteHasAToken) {
  const Encoded out = encode(byte_level_vocabulary("gpt-2"), "a\xFF");
  EXPECT_EQ(out.ids, (Ids{'a', 0xFF}));
  EXPECT_EQ(out.losses.n_replaced + out.losses.n_unknown, 0u);
}

TEST(TokenizerLosses, BadBytesBecomeReplacementCharacters) {
  const Encoded out = encode(without_bytes({0xFF}), "a\xFF\x80<tag>\x80");
  EXPECT_EQ(out.ids, (Ids{'a', 0xEF, 0xBF, 0xBD, 0xEF, 0xBF, 0xBD, kTag, 0x80}))
      << "all of the stretch that has one without token, and no other";
  EXPECT_EQ(out.losses.n_replaced, 2u);
  EXPECT_EQ(out.losses.n_unknown, 0u);
}

TEST(TokenizerLosses, ACharacterBecomesTheUnknownToken) {
  TestVocabulary vocabulary = without_bytes({0xC3});
  vocabulary.unknown = kTag;
  const Encoded out = encode(vocabulary, "h\u00E9");
  EXPECT_EQ(out.ids, (Ids{'h', kTag, 0xA9}));
  EXPECT_EQ(out.losses.n_unknown, 1u);
  EXPECT_EQ(out.losses.n_replaced, 0u);
}

TEST(TokenizerLosses, ControlTokensStandForNoText) {
  TestVocabulary vocabulary = without_bytes({0xC3});
  vocabulary.unknown = kEos;
  EXPECT_THAT(refusal(vocabulary, "h\u00E9"), testing::HasSubstr("cannot spell 'é'"));
}

TEST(TokenizerLosses, ReplacementThatCannotBeSpelledEither) {
  TestVocabulary vocabulary = without_bytes({0xBF, 0xFE});
  EXPECT_THAT(refusal(vocabulary, "a\xFE"), testing::HasSubstr("cannot spell '\\xfe'"));
  vocabulary.unknown = kTag;
  const Encoded out = encode(vocabulary, "a\xFE");
  EXPECT_EQ(out.ids, (Ids{'a', kTag}));
  EXPECT_EQ(out.losses.n_unknown, 1u);
}

TEST(TokenizerLosses, SpmBytesBecomeTheUnknownToken) {
  const OwnedTokenizer tokenizer(TinyModel().bytes());  // has no byte tokens
  EncodeLosses losses;
  const auto ids = tokenizer->encode("\u00E9", {.add_special = false}, losses);
  EXPECT_EQ(losses.n_unknown, 2u);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), TokenId(0)), 2);
}

}  // namespace
}  // namespace armature::test
