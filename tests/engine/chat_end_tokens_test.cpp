// Which tokens a template shows to end an answer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/chat/end_tokens.h"
#include "gguf/model_files.h"
#include "tokenizer_support.h"

namespace armature::chat {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The spellings of the end tokens of a template.
std::vector<std::string> end_tokens(std::string_view source, const Tokenizer& tokenizer) {
  std::vector<std::string> spellings;
  for (const TokenId token : find_end_tokens(Template::parse(source), tokenizer))
    spellings.emplace_back(tokenizer.spelling(token));
  return spellings;
}

class EndTokens : public testing::Test {
 protected:
  std::vector<std::string> of(std::string_view source) const { return end_tokens(source, *owned_); }

 private:
  test::OwnedTokenizer owned_ = test::make_tokenizer(test::byte_level_vocabulary("llama-bpe"));
};

TEST_F(EndTokens, StandBehindTheAnswer) {
  EXPECT_THAT(of("{% for m in messages %}<im>{{ m.role }}\n{{ m.content }}<eot>\n{% endfor %}"),
              ElementsAre("<eot>"));
  EXPECT_THAT(of("{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}"), ElementsAre("<eos>"));
  EXPECT_THAT(of("{% for m in messages %}{{ m.content }}<tag>{% endfor %}"), ElementsAre("<tag>"))
      << "a user-defined token";
}

TEST_F(EndTokens, MayFollowWhiteSpace) {
  EXPECT_THAT(of("{% for m in messages %}{{ m.content }}\n\n <eot>{% endfor %}"), ElementsAre("<eot>"));
}

TEST_F(EndTokens, AreThoseOfTheAssistant) {
  EXPECT_THAT(of("{% for m in messages %}{{ m.content }}{{ '<im>' if m.role == 'user' else '<eot>' }}"
                 "{% endfor %}"),
              ElementsAre("<eot>"));
}

TEST_F(EndTokens, MayStandOnlyBetweenTurns) {
  EXPECT_THAT(of("{% for m in messages %}{{ m.content }}{% if not loop.last %}<eot>{% endif %}{% endfor %}"),
              ElementsAre("<eot>"));
  EXPECT_THAT(of("{% for m in messages %}<im>{{ m.content }}{% endfor %}"), ElementsAre("<im>"))
      << "the next turn's first token";
}

TEST_F(EndTokens, AreNotThereInTextFormats) {
  EXPECT_THAT(of("{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"), IsEmpty());
  EXPECT_THAT(of("{% for m in messages %}{{ m.content }}### <eot>{% endfor %}"), IsEmpty());
  EXPECT_THAT(of("{% for m in messages %}{{ m.content }}<nosuch>{% endfor %}"), IsEmpty());
}

TEST_F(EndTokens, AreNotThereInTemplatesThatFail) {
  EXPECT_THAT(of("{{ raise_exception('never') }}"), IsEmpty());
  EXPECT_THAT(of("{{ messages[0].content }}<eot>"), IsEmpty()) << "the answer is not shown";
  EXPECT_THAT(of("{{ messages[1].content | upper }}<eot>"), IsEmpty()) << "nor as it is";
  EXPECT_THAT(of(""), IsEmpty());
}

TEST(EndTokensOfFiles, AreTheLongest) {
  test::TestVocabulary vocabulary = test::byte_level_vocabulary("llama-bpe");
  for (const char* spelling : {"<e", "<eot>>", "<eot>\n"}) {
    vocabulary.tokens.emplace_back(spelling);
    vocabulary.types.push_back(3);
  }
  const test::OwnedTokenizer tokenizer = test::make_tokenizer(vocabulary);
  EXPECT_THAT(end_tokens("{% for m in messages %}{{ m.content }}<eot>>{% endfor %}", *tokenizer),
              ElementsAre("<eot>>"));
  EXPECT_THAT(end_tokens("{% for m in messages %}{{ m.content }}<eot>x{% endfor %}", *tokenizer),
              ElementsAre("<eot>"));
}

TEST_F(EndTokens, TheLastPlaceOfTheAnswerCounts) {
  EXPECT_THAT(of("{{ messages[1].content }}<im>{{ messages[1].content }}<eot>"), ElementsAre("<eot>"));
}

struct Published {
  const char *vocabulary, *chat_template, *token;
};

TEST(EndTokensOfVectors, AreThePublishers) {
  const std::string folder = ARMATURE_TEST_DATA "/vectors/tokenizer/";
  if (!std::ifstream(folder + "llama-3.gguf")) GTEST_SKIP() << "no reference data in " << folder;
  const Published cases[] = {
      {"llama-3", "llama-3", "<|eot_id|>"},
      {"llama-3", "llama-3.1", "<|eot_id|>"},
      {"llama-3", "llama-3.2", "<|eot_id|>"},
      {"qwen3", "qwen2.5", "<|im_end|>"},
      {"qwen3", "qwen3", "<|im_end|>"},
      {"qwen3", "chatml", "<|im_end|>"},
      {"phi-3", "phi-3", "<|end|>"},
      {"phi-3", "phi-3.5", "<|end|>"},
      {"phi-4", "phi-4", "<|im_end|>"},
      {"phi-4", "phi-4-early", "<|im_end|>"},
      {"llama-2", "llama-2", "</s>"},
      {"llama-2", "mistral-v0.2-old", "</s>"},
      {"llama-2", "mistral-v1", "</s>"},
      {"llama-2", "zephyr", "</s>"},
      {"deepseek-coder", "deepseek-coder", "<|EOT|>"},
  };
  for (const Published& c : cases) {
    const auto files = gguf::ModelFiles::open(folder + c.vocabulary + ".gguf", gguf::Access::Map);
    const auto tokenizer = Tokenizer::from(files.metadata());
    std::ifstream file(folder + "chat/templates/" + c.chat_template + ".jinja", std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(file), {}};
    EXPECT_THAT(end_tokens(source, *tokenizer), ElementsAre(c.token)) << c.chat_template;
  }
}

}  // namespace
}  // namespace armature::chat
