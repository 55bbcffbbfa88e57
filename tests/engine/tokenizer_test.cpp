// What users see of a tokenizer, on made-up vocabularies: tests/support/vocabularies.h lists their ids.

#include "engine/tokenizer/tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/engine/tokenizer_support.h"

namespace armature::test {
namespace {

std::string decoded(const Tokenizer& tokenizer, const Ids& ids, DecodeOptions options = {}) {
  return tokenizer.decode(to_tokens(ids), options);
}

TEST(Tokenizer, CutsDigitsAsTheRuleSays) {
  struct Case {
    const char* pre;
    const char* text;
    Ids ids;
  };
  const Case cases[] = {
      {"llama-bpe", "3333+333", {259, 51, 43, 259}},
      {"llama-bpe", "333 3333", {259, 32, 259, 51}},
      {"llama-bpe", " 3", {32, 51}},
      {"qwen2", "3333+333", {51, 51, 51, 51, 43, 51, 51, 51}},
      {"qwen2", "333 3333", {51, 51, 51, 32, 51, 51, 51, 51}},
      {"qwen2", " 3", {32, 51}},
      {"smollm", "3333+333", {51, 51, 51, 51, 43, 51, 51, 51}},
      {"smollm", "333 3333", {51, 51, 51, 32, 51, 51, 51, 51}},
      {"smollm", " 3", {32, 51}},
      {"gpt-2", "3333+333", {258, 258, 43, 259}},
      {"gpt-2", "333 3333", {259, 32, 258, 258}},
      {"gpt-2", " 3", {261}},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ids_of(*make_tokenizer(byte_level_vocabulary(c.pre)), c.text), c.ids) << c.pre << " " << c.text;
  }
}

TEST(Tokenizer, FileDecidesOnTheSpacePrefix) {
  struct Case {
    const char* text;
    Ids without, with;
  };
  const Case cases[] = {
      {"Hello", {265}, {266}},
      {"</s>Hello", {2, 265}, {2, 266}},
      {"Hello</s>Hello", {265, 2, 265}, {266, 2, 266}},
  };
  const OwnedTokenizer without = make_tokenizer(spm_vocabulary(false));
  const OwnedTokenizer with = make_tokenizer(spm_vocabulary(true));
  for (const Case& c : cases) {
    EXPECT_EQ(ids_of(*without, c.text), c.without) << c.text;
    EXPECT_EQ(ids_of(*with, c.text), c.with) << c.text;
    EXPECT_EQ(decoded(*without, c.without), c.text);
    EXPECT_EQ(decoded(*with, c.with), c.text);
  }
}

TEST(Tokenizer, SpmBytesAndRunsOfSpaces) {
  const OwnedTokenizer tokenizer = make_tokenizer(spm_vocabulary(true));
  const std::pair<const char*, Ids> cases[] = {
      {"🦙", {259, 243, 162, 169, 156}},
      {"Hello 🦙.", {266, 259, 243, 162, 169, 156, 273}},
      {"Hello  Hello", {266, 259, 266}},
      {"Hello    Hello", {266, 260, 259, 266}},
      {"  Hello", {260, 266}},
      {"Hello ", {266, 259}},
      {"\nHello", {259, 13, 265}},
      {"", {}},
  };
  for (const auto& [text, ids] : cases) {
    EXPECT_EQ(ids_of(*tokenizer, text), ids) << text;
    EXPECT_EQ(decoded(*tokenizer, ids), text);
  }
}

TEST(Tokenizer, SpmKeepsBadBytes) {
  const OwnedTokenizer tokenizer = make_tokenizer(spm_vocabulary(true));
  EXPECT_EQ(ids_of(*tokenizer, "\xFF\xFE"), (Ids{259, 258, 257}));
  EXPECT_EQ(ids_of(*tokenizer, "\xED\xA0\x80"), (Ids{259, 240, 163, 131}));
  EXPECT_EQ(ids_of(*tokenizer, "H\xF0\x9F"), (Ids{259, 269, 243, 162}));
  EXPECT_EQ(decoded(*tokenizer, {259, 269, 243, 162}), "H\xF0\x9F");
}

TEST(Tokenizer, SpmTextThatSpellsAByteTokenIsText) {
  const OwnedTokenizer tokenizer = make_tokenizer(spm_vocabulary(false));
  const Ids ids = ids_of(*tokenizer, "<0x0A>");
  EXPECT_EQ(ids.size(), 6u);
  EXPECT_EQ(decoded(*tokenizer, ids), "<0x0A>");
}

TEST(Tokenizer, BosAndEosAsTheFileAsks) {
  TestVocabulary vocabulary = byte_level_vocabulary("llama-bpe");
  const auto ids = [&](const char* text) { return to_ints(make_tokenizer(vocabulary)->encode(text)); };
  EXPECT_EQ(ids("hello"), (Ids{275, 265})) << "the rule adds BOS where the key is absent";
  vocabulary.add_bos = false;
  EXPECT_EQ(ids("hello"), (Ids{265}));
  vocabulary.add_bos = true;
  EXPECT_EQ(ids("hello"), (Ids{275, 265}));
  EXPECT_EQ(ids("<bos>hello"), (Ids{275, 275, 265})) << "a second BOS is the caller's to avoid";
  EXPECT_EQ(ids(""), (Ids{275}));
  vocabulary.pre = "gpt-2";
  vocabulary.add_bos.reset();
  EXPECT_EQ(ids("hello"), (Ids{265}));
  EXPECT_EQ(to_ints(make_tokenizer(spm_vocabulary(true))->encode("Hello")), (Ids{1, 266}));
}

TEST(Tokenizer, TextThatContinuesGetsNoSpace) {
  const OwnedTokenizer tokenizer = make_tokenizer(spm_vocabulary(true));
  const auto ids = [&](const char* text) {
    return to_ints(tokenizer->encode(text, {.add_special = false, .continues = true}));
  };
  EXPECT_EQ(ids("Hello"), (Ids{265}));
  EXPECT_EQ(ids(" </s>Hello"), (Ids{259, 2, 266})) << "what follows a special token begins anew";
  EXPECT_EQ(ids("</s>Hello"), (Ids{2, 266}));
}

TEST(Tokenizer, ControlTokensOnlyWhereTheyAreParsed) {
  const OwnedTokenizer tokenizer = make_tokenizer(byte_level_vocabulary("gpt-2"));
  const Ids spelled = {60, 101, 111, 116, 62};
  EXPECT_EQ(ids_of(*tokenizer, "hello<eot><tag>"), (Ids{265, 277, 278}));
  Ids plain = {265};
  plain.insert(plain.end(), spelled.begin(), spelled.end());
  plain.push_back(278);
  EXPECT_EQ(ids_of(*tokenizer, "hello<eot><tag>", false), plain) << "user-defined tokens always count";
}

TEST(Tokenizer, ControlTokensAreTextInLiteralRanges) {
  const OwnedTokenizer tokenizer = make_tokenizer(byte_level_vocabulary("gpt-2"));
  const std::string text = "<eot><eot>hello<eot>";
  const auto ids = [&](std::vector<ByteRange> literal) {
    return to_ints(tokenizer->encode(text, {false, true, literal}));
  };
  const Ids second_spelled = {277, 60, 101, 111, 116, 62, 265, 277};
  EXPECT_EQ(ids({}), (Ids{277, 277, 265, 277}));
  EXPECT_EQ(ids({{5, 15}}), second_spelled);
  EXPECT_EQ(ids({{9, 10}}), second_spelled) << "one byte is enough";
  EXPECT_EQ(ids({{5, 6}, {9, 15}}), second_spelled);
  EXPECT_EQ(ids({{0, 0}, {5, 5}, {10, 10}}), ids({})) << "an empty range holds no byte";
  EXPECT_EQ(ids({{10, 15}}), ids({})) << "a range beside a token does not touch it";
}

TEST(Tokenizer, TokensRunAcrossTheBordersOfLiteralRanges) {
  const OwnedTokenizer tokenizer = make_tokenizer(byte_level_vocabulary("gpt-2"));
  const std::vector<ByteRange> literal = {{2, 4}};
  EXPECT_EQ(to_ints(tokenizer->encode("hello", {false, true, literal})), (Ids{265}));
}

TEST(Tokenizer, LongestSpecialTokenWins) {
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.tokens[276] = "<bos><";
  vocabulary.tokens[279] = "<bos><tag";
  const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
  EXPECT_EQ(ids_of(*tokenizer, "<bos><tag>"), (Ids{279, 62}));
  EXPECT_EQ(ids_of(*tokenizer, "<bos><ta"), (Ids{276, 116, 97}));
  EXPECT_EQ(ids_of(*tokenizer, "<bos>"), (Ids{275}));
  const std::vector<ByteRange> literal = {{6, 9}};
  EXPECT_EQ(to_ints(tokenizer->encode("<bos><tag>", {false, true, literal})), (Ids{276, 116, 97, 103, 62}))
      << "the longest that stays outside the range";
}

TEST(Tokenizer, EachFragmentIsCutByItself) {
  const OwnedTokenizer tokenizer = make_tokenizer(byte_level_vocabulary("gpt-2"));
  EXPECT_EQ(ids_of(*tokenizer, "  hello"), (Ids{32, 266})) << "the word takes the last space";
  EXPECT_EQ(ids_of(*tokenizer, "  <eot>hello"), (Ids{257, 277, 265})) << "no word follows in this fragment";
}

TEST(Tokenizer, MergesNeedNoTokens) {
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.tokens[264] = "zzz";  // "hell" is a stage of "hello", but no token any more
  const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
  EXPECT_EQ(ids_of(*tokenizer, "hello"), (Ids{265}));
  EXPECT_EQ(ids_of(*tokenizer, "hell"), (Ids{104, 101, 108, 108})) << "falls apart into its bytes";
}

TEST(Tokenizer, WholePieceFirstOnlyWhereTheRuleSaysSo) {
  TestVocabulary vocabulary = byte_level_vocabulary("llama-bpe");
  vocabulary.add_bos = false;
  vocabulary.tokens[274] = "xyz";  // no merge makes it
  EXPECT_EQ(ids_of(*make_tokenizer(vocabulary), "xyz"), (Ids{274}));
  vocabulary.pre = "dbrx";
  EXPECT_EQ(ids_of(*make_tokenizer(vocabulary), "xyz"), (Ids{120, 121, 122}));
}

TEST(Tokenizer, LongSFoldsToAContraction) {
  TestVocabulary vocabulary = byte_level_vocabulary("llama-bpe");
  vocabulary.add_bos = false;
  EXPECT_EQ(ids_of(*make_tokenizer(vocabulary), "'re'RE"), (Ids{268, 270}));
  EXPECT_EQ(ids_of(*make_tokenizer(vocabulary), "'\u017F"), (Ids{39, 0xC5, 0xBF}));
}

TEST(Tokenizer, NulBytesAreData) {
  const std::string text("a\0b", 3);
  for (const TestVocabulary& vocabulary : {byte_level_vocabulary("gpt-2"), spm_vocabulary(false)}) {
    const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
    const Ids ids = ids_of(*tokenizer, text);
    EXPECT_EQ(ids.size(), 3u);
    EXPECT_EQ(decoded(*tokenizer, ids), text);
  }
}

TEST(Tokenizer, PiecesOfTokens) {
  const OwnedTokenizer tokenizer = make_tokenizer(byte_level_vocabulary("gpt-2"));
  const auto piece = [&](int id, bool show_control) {
    std::string out;
    tokenizer->append_piece(out, TokenId(id), show_control);
    return out;
  };
  EXPECT_EQ(piece(266, false), " hello");
  EXPECT_EQ(piece(271, false), "\xF0\x9F");
  EXPECT_EQ(piece(255, false), "\xFF");
  EXPECT_EQ(piece(277, false), "");
  EXPECT_EQ(piece(277, true), "<eot>");
  EXPECT_EQ(piece(278, false), "<tag>");
  EXPECT_EQ(piece(280, true), "");
  EXPECT_EQ(piece(-1, true), "");
}

TEST(Tokenizer, UserDefinedTokensAreNoByteCharacters) {
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.tokens[278] = "ü";
  const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
  EXPECT_EQ(decoded(*tokenizer, {278}), "ü");
  EXPECT_EQ(decoded(*tokenizer, {0xFC}), "\xFC");
}

TEST(Tokenizer, DecodeHidesControlTokensOnRequest) {
  const OwnedTokenizer tokenizer = make_tokenizer(spm_vocabulary(true));
  const Ids ids = {1, 266, 2, 266};
  EXPECT_EQ(decoded(*tokenizer, ids), "<s>Hello</s>Hello");
  EXPECT_EQ(decoded(*tokenizer, ids, {.show_control = false, .strip_leading_space = true}), "HelloHello");
  EXPECT_EQ(decoded(*tokenizer, ids, {.show_control = false, .strip_leading_space = false}), " Hello Hello");
}

TEST(Tokenizer, EndOfGeneration) {
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.tokens[279] = "<|im_end|>";  // a control token
  vocabulary.tokens[278] = "<|eot_id|>";  // user-defined: text like any other
  const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
  Ids ends;
  for (int id = 0; id < 280; ++id) {
    if (tokenizer->is_end_of_generation(TokenId(id))) ends.push_back(id);
  }
  EXPECT_EQ(ends, (Ids{276, 277, 279}));
}

TEST(Tokenizer, PhiDropsSpaceBehindSpecialTokens) {
  const auto ids = [](const char* name) {
    gguf::Writer writer;
    writer.add("general.name", name);
    add_vocabulary(writer, spm_vocabulary(true));
    return ids_of(*OwnedTokenizer(writer.bytes()), "</s> \n Hello<s> Hello");
  };
  EXPECT_EQ(ids("Phi-3 mini"), (Ids{2, 266, 1, 259, 266}));
  EXPECT_EQ(ids("Llama"), (Ids{2, 260, 13, 266, 1, 259, 266}));
}

TEST(Tokenizer, UnspellableCharacterIsNamed) {
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.tokens[0xC3] = "no byte";
  vocabulary.tokens[274] = "no pair";
  vocabulary.merges.pop_back();
  try {
    ids_of(*make_tokenizer(vocabulary), "h\u00E9");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    EXPECT_NE(std::string(error.what()).find("'é'"), std::string::npos) << error.what();
  }
  vocabulary.unknown = 278;
  EXPECT_EQ(ids_of(*make_tokenizer(vocabulary), "h\u00E9"), (Ids{104, 278, 0xA9}));
}

}  // namespace
}  // namespace armature::test
