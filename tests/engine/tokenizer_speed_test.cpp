// Inputs that break splitters and merging of more than linear time, or that need a stack in proportion: each
// rule and each kind of tokenizer, on a stack of 256 KiB.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/tokenizer/nfc.h"
#include "engine/tokenizer/pretokenizer.h"
#include "tests/engine/tokenizer_support.h"
#include "tests/support/random.h"
#include "tests/support/small_stack.h"
#include "tests/support/work_meter.h"

namespace armature::test {
namespace {

constexpr std::size_t kStack = std::size_t{256} << 10;
// Of the shortest of three texts.
#ifdef ARMATURE_SLOW_RUN
constexpr std::size_t kBytes = 2'000;
#else
constexpr std::size_t kBytes = 8'000;
#endif

/// A unit repeated, and what comes behind the last.
struct Shape {
  const char* name;
  std::string_view unit, tail = {};
};

constexpr Shape kShapes[] = {
    {"letters", "a"},
    {"capitals", "A"},
    {"letters of both cases", "aA"},
    {"letters and blanks", "a "},
    {"words", "hello "},
    {"one word of many merges", "hello"},
    {"digits", "3"},
    {"digits before a letter", "3", "x"},
    {"digits before a digit of no number", "3", "\u00BD"},
    {"digits and letters", "1a"},
    {"digits and blanks", "1 "},
    {"fractions", "\u00BD"},
    {"spaces", " "},
    {"spaces before a word", " ", "x"},
    {"ideographic spaces", "\u3000", "x"},
    {"line feeds", "\n"},
    {"carriage returns and line feeds", "\r\n"},
    {"line feeds and spaces", "\n ", "x"},
    {"spaces and one line feed", "          ", "\n          x"},
    {"punctuation", "!"},
    {"punctuation and line feeds", "!\n"},
    {"slashes and line feeds", "\n/"},
    {"apostrophes", "'"},
    {"contractions", "'s"},
    {"marks", "\u0301"},
    {"letters with marks", "a\u0301"},
    {"capitals behind kana", "\u3042A"},
    {"joiners", "\u200D"},
    {"joined emoji", "\U0001F469\u200D"},
    {"openings of control tokens", "<e"},
    {"control tokens", "<eot>"},
    {"bad bytes", "\xFF"},
    {"lead bytes", "\xF0"},
};

std::string repeated(const Shape& shape, std::size_t n_bytes) {
  std::string text;
  text.reserve(n_bytes + shape.unit.size() + shape.tail.size());
  while (text.size() < n_bytes) text += shape.unit;
  return text.append(shape.tail);
}

std::string random_bytes(std::size_t n) {
  std::string text;
  Rng random(7);
  for (std::size_t i = 0; i < n; ++i) text += static_cast<char>(random.below(256));
  return text;
}

/// Texts of a shape, made before anything is measured.
class Texts {
 public:
  explicit Texts(const std::function<std::string(std::size_t)>& make) {
    for (std::size_t k = 0; k < 3; ++k) texts_[k] = make(kBytes << k);
  }
  const std::string& of_size(std::size_t n) const {
    return texts_[n == kBytes ? 0 : n == 2 * kBytes ? 1 : 2];
  }

 private:
  std::string texts_[3];
};

/// expect_linear() of all shapes and of random bytes.
void expect_linear_on_all_shapes(const std::string& subject,
                                 const std::function<void(std::string_view)>& work) {
  run_on_stack(kStack, [&] {
    const WorkMeter meter;
    const auto check = [&](const char* name, const std::function<std::string(std::size_t)>& make) {
      const Texts texts(make);
      expect_linear(
          meter, [&](std::size_t n) { work(texts.of_size(n)); }, kBytes, (subject + ", " + name).c_str());
    };
    for (const Shape& shape : kShapes) check(shape.name, [&](std::size_t n) { return repeated(shape, n); });
    check("random bytes", random_bytes);
  });
}

void compare_all_pairs(std::size_t n) {
  volatile std::size_t n_equal = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) n_equal = n_equal + (i == j ? 1 : 0);
  }
}

TEST(TokenizerSpeed, QuadraticTimeIsSeen) {
  static const WorkMeter meter;
  EXPECT_NONFATAL_FAILURE(expect_linear(meter, compare_all_pairs, 1'000, "pairs"), "pairs");
}

TEST(TokenizerSpeed, EveryRuleIsLinear) {
  std::set<const std::string_view*> seen;
  for (const PreRule& rule : pre_rules()) {
    if (!seen.insert(rule.steps.data()).second) continue;  // an alias
    const Pretokenizer pretokenizer(rule);
    expect_linear_on_all_shapes(std::string(rule.name), [&](std::string_view text) {
      std::size_t bytes = 0;
      for (const std::size_t length : pretokenizer.split(text)) bytes += length;
      EXPECT_EQ(bytes, text.size());
    });
  }
}

TEST(TokenizerSpeed, BothKindsAreLinear) {
  for (const TestVocabulary& vocabulary : {byte_level_vocabulary("llama-bpe"), byte_level_vocabulary("gpt-2"),
                                           spm_vocabulary(true), spm_vocabulary(false)}) {
    const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
    expect_linear_on_all_shapes(vocabulary.model + " " + vocabulary.pre, [&](std::string_view text) {
      EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, {.add_special = false})), text);
    });
  }
}

TEST(TokenizerSpeed, LiteralRangesAreLinear) {
  const OwnedTokenizer tokenizer = make_tokenizer(byte_level_vocabulary("gpt-2"));
  const WorkMeter meter;
  const auto work = [&](std::size_t n) {
    const std::string text = repeated({"", "<eot>"}, 5 * n);
    std::vector<ByteRange> literal;
    for (std::size_t i = 0; i < n; i += 2) literal.push_back({5 * i, 5 * i + 5});
    EncodeOptions options;
    options.add_special = false;
    options.literal = literal;
    EXPECT_EQ(tokenizer->encode(text, options).size(), n / 2 * 6);
  };
  expect_linear(meter, work, 2'000, "literal ranges");
}

TEST(TokenizerSpeed, NormalisationIsLinear) {
  if (!nfc_is_available()) GTEST_SKIP() << "built without " << kNfcLibrary;
  run_on_stack(kStack, [] {
    const WorkMeter meter;
    for (const Shape& shape :
         {Shape{"marks out of order", "\u0301\u0323"}, Shape{"marks of one class", "\u0301"},
          Shape{"Hangul", "\u1112\u1161\u11AB"}, Shape{"bad bytes", "e\u0301\xFF"}}) {
      const Texts texts([&](std::size_t n) { return repeated(shape, n); });
      expect_linear(
          meter, [&](std::size_t n) { to_nfc(texts.of_size(n)); }, kBytes, shape.name);
    }
  });
}

TEST(TokenizerSpeed, LongTexts) {
  const std::pair<Shape, std::size_t> cases[] = {{{"letters", "a"}, 200'000},
                                                 {{"spaces", " "}, 100'000},
                                                 {{"digits", "3"}, 1'000'000},
                                                 {{"line feeds", "\n"}, 50'000}};
  for (const TestVocabulary& vocabulary : {byte_level_vocabulary("llama-bpe"), spm_vocabulary(true)}) {
    const OwnedTokenizer tokenizer = make_tokenizer(vocabulary);
    run_on_stack(kStack, [&] {
      for (const auto& [shape, n] : cases) {
        const std::string text = repeated(shape, n);
        EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, {.add_special = false})), text) << shape.name;
      }
      const std::string text = random_bytes(200'000);
      EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, {.add_special = false})), text);
    });
  }
}

}  // namespace
}  // namespace armature::test
