// Inputs that break splitters and merging of more than linear time. The bounds are for processor time and
// about 50 times what these texts need on a server core, to leave room for sanitizers and emulation;
// quadratic time would miss them by orders of magnitude.

#include <gtest/gtest.h>

#include <ctime>
#include <set>

#include "engine/tokenizer/pretokenizer.h"
#include "tests/engine/tokenizer_support.h"

namespace armature::test {
namespace {

struct LongText {
  const char* name;
  std::string text;
};

std::string repeated(std::string_view unit, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += unit;
  return text;
}

std::vector<LongText> long_texts() {
  return {
      {"letters", std::string(200'000, 'a')},
      {"line feeds", std::string(50'000, '\n')},
      {"digits", std::string(1'000'000, '3')},
      {"spaces", std::string(500'000, ' ')},
      {"spaces before a word", std::string(500'000, ' ') + "x"},
      {"a line feed among spaces", std::string(250'000, ' ') + "\n" + std::string(250'000, ' ') + "x"},
      {"line feeds and spaces in turn", repeated("\n ", 100'000)},
      {"capitals", std::string(200'000, 'A')},
      {"capitals after a kana", repeated("\u3042A", 50'000)},
      {"marks", repeated("\u0301", 100'000)},
      {"openings of control tokens", repeated("<e", 200'000)},
      {"apostrophes", std::string(200'000, '\'')},
      {"bad bytes", std::string(200'000, '\xFF')},
      {"lead bytes", std::string(200'000, '\xF0')},
  };
}

/// Processor time of this program.
double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(TokenizerSpeed, LongTextsThroughEveryRule) {
  std::set<const std::string_view*> seen;
  for (const PreRule& rule : pre_rules()) {
    if (!seen.insert(rule.steps.data()).second) continue;  // an alias
    const Pretokenizer pretokenizer(rule);
    for (const LongText& text : long_texts()) {
      const std::clock_t start = std::clock();
      std::size_t bytes = 0;
      for (const std::size_t length : pretokenizer.split(text.text)) bytes += length;
      EXPECT_EQ(bytes, text.text.size());
      EXPECT_LT(seconds_since(start), 5.0) << rule.name << ": " << text.name;
    }
  }
}

TEST(TokenizerSpeed, LongTextsThroughBothKinds) {
  for (const TestVocabulary& vocabulary : {byte_level_vocabulary("llama-bpe"), spm_vocabulary(true)}) {
    const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
    for (const LongText& text : long_texts()) {
      const std::clock_t start = std::clock();
      const auto ids =
          tokenizer->encode(text.text, {.add_special = false, .parse_special = true, .literal = {}});
      EXPECT_LT(seconds_since(start), 10.0) << vocabulary.model << ": " << text.name;
      EXPECT_EQ(tokenizer->decode(ids), text.text) << text.name;
    }
  }
}

TEST(TokenizerSpeed, OneLongPieceOfMerges) {
  // Not cut by any rule: letters alone, each of which takes part in merges.
  const std::string text = repeated("hello", 200'000);
  const std::clock_t start = std::clock();
  const Ids ids = ids_of(*make_tokenizer(byte_level_vocabulary("gpt-2")), text);
  EXPECT_LT(seconds_since(start), 10.0);
  EXPECT_EQ(ids, Ids(200'000, 265));
}

TEST(TokenizerSpeed, ManyLiteralRanges) {
  const OwnedTokenizer tokenizer = make_tokenizer(byte_level_vocabulary("gpt-2"));
  const std::string text = repeated("<eot>", 100'000);
  std::vector<ByteRange> literal;
  for (std::size_t i = 0; i < 100'000; i += 2) literal.push_back({5 * i, 5 * i + 5});
  const std::clock_t start = std::clock();
  const auto ids = tokenizer->encode(text, {false, true, literal});
  EXPECT_LT(seconds_since(start), 5.0);
  EXPECT_EQ(ids.size(), 50'000u * 6);
}

}  // namespace
}  // namespace armature::test
