// --nfc, and the note without it, in the commands that take a user's text to a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/tokenizer/nfc.h"
#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"
#include "tests/tools/tokenize_support.h"

namespace armature::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kMarks = "e\u0301";  // 101 204 129 as it is, 274 in NFC

TinyModel qwen_model() {
  TinyModel model = table_model(path_table({10, 65, 277}));
  model.set("tokenizer.ggml.pre", std::string("qwen2"));
  return model.set(
      "tokenizer.chat_template",
      std::string("{% for m in messages %}{{ m.role }}{{ m.content }}<eot>{% endfor %}{{ '\\n' }}"));
}

class Nfc : public testing::Test {
 protected:
  void SetUp() override {
    if (!nfc_is_available()) GTEST_SKIP() << "built without " << kNfcLibrary;
  }
  std::size_t n_notes(const std::string& err) const {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = err.find("--nfc", at)) != err.npos; ++at) ++n;
    return n;
  }
  const VocabularyFile vocabulary{byte_level_vocabulary("qwen2")};
  const ModelFile model{qwen_model()};
};

TEST_F(Nfc, Tokenize) {
  const Outcome outcome = vocabulary.tokenize({"--nfc", "--ids", "-p", kMarks});
  EXPECT_EQ(outcome.out, "[274]\n");
  EXPECT_EQ(outcome.err, "");
  const std::string line = "{\"text\": \"" + kMarks + "\"}\n";
  EXPECT_EQ(vocabulary.tokenize({"--nfc", "--jsonl"}, line).out, "{\"ids\": [274]}\n");
}

TEST_F(Nfc, NoteWhereTheModelsOwnTokenizerNormalises) {
  const Outcome noted = vocabulary.tokenize({"--ids", "-p", kMarks});
  EXPECT_EQ(noted.out, "[101, 204, 129]\n") << "the text as it came";
  EXPECT_EQ(n_notes(noted.err), 1u);
  const std::string line = "{\"text\": \"" + kMarks + "\"}\n";
  EXPECT_EQ(n_notes(vocabulary.tokenize({"--jsonl"}, line + line).err), 1u) << "once";
  EXPECT_EQ(vocabulary.tokenize({"--ids", "-p", "\u00E9"}).err, "") << "normalised already";
  EXPECT_EQ(VocabularyFile(byte_level_vocabulary("gpt-2")).tokenize({"--ids", "-p", kMarks}).err, "");
}

TEST_F(Nfc, Run) {
  const Outcome noted = model.greedy({"-v", "-n", "0", "-p", kMarks});
  EXPECT_EQ(prompt_ids(noted), "[101, 204, 129]");
  EXPECT_EQ(n_notes(noted.err), 1u);
  const Outcome normalised = model.greedy({"-v", "-n", "0", "--nfc", "-p", kMarks});
  EXPECT_EQ(prompt_ids(normalised), "[274]");
  EXPECT_EQ(n_notes(normalised.err), 0u);
  const Outcome turn = model.run({"--nfc", "-v", "-n", "0", "-sys", kMarks, "-p", kMarks});
  EXPECT_THAT(prompt_ids(turn), AllOf(HasSubstr("274, 277, 117"), HasSubstr("274, 277, 10]"))) << turn.err;
}

TEST_F(Nfc, Chat) {
  const auto chat = [&](const Args& args) {
    return run_program({.args = Args{"chat", "-m", model.path(), "--temp", "0", "--json"} + args,
                        .input = kMarks + "\n" + kMarks + "\n"});
  };
  const auto first_prompt = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out.substr(0, outcome.out.find('\n'))).at("n_prompt").get<int>();
  };
  const Outcome noted = chat({});
  const Outcome normalised = chat({"--nfc"});
  EXPECT_EQ(n_notes(noted.err), 1u);
  EXPECT_EQ(n_notes(normalised.err), 0u);
  EXPECT_EQ(first_prompt(noted) - first_prompt(normalised), 2);
}

TEST(WithoutNfc, IsRefusedWithTheNameOfTheLibrary) {
  if (nfc_is_available()) GTEST_SKIP() << "built with it";
  for (const Args& args : {Args{"tokenize"}, Args{"run", "--raw"}, Args{"chat"}}) {
    const Outcome outcome = run_program(args + Args{"--nfc", "-p", "a"});
    EXPECT_EQ(outcome.status, 1) << args[0];
    EXPECT_EQ(outcome.out, "") << args[0];
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("--nfc"), HasSubstr("utf8proc"))) << args[0];
  }
}

}  // namespace
}  // namespace armature::test
