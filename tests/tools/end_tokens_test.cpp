// Where an answer ends: at the tokens that the file declares and at those that its template shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

/// After a newline "A", then this token, then "B", then <eos>; the file declares no <eot>.
TinyModel answering_model(int end, const std::string& chat_template) {
  TinyModel tiny = table_model(path_table({10, 65, end, 66, 276}));
  tiny.erase_key("tokenizer.ggml.eot_token_id");
  tiny.set("tokenizer.chat_template", chat_template);
  return tiny;
}

std::string template_with_end(const std::string& end) {
  return "{% for m in messages %}<im>{{ m.role }}\n{{ m.content }}" + end +
         "\n{% endfor %}{% if add_generation_prompt %}<im>assistant\n{% endif %}";
}

TEST(EndTokens, ShownByTheTemplate) {
  for (const auto& [id, spelling] : {std::pair(277, "<eot>"), std::pair(278, "<tag>")}) {
    const ModelFile model(answering_model(id, template_with_end(spelling)));
    const Outcome chat = model.run({"--temp", "0", "--json", "-p", "h"});
    ASSERT_EQ(chat.status, 0) << chat.err;
    EXPECT_EQ(chat.json()["text"], "A") << spelling;
    EXPECT_EQ(chat.json()["stop_reason"], "eos") << spelling;
    EXPECT_EQ(chat.json()["tokens"], std::vector<int>({65, id})) << spelling;
  }
}

TEST(EndTokens, OfTheTemplateDoNotEndPlainText) {
  const ModelFile model(answering_model(277, template_with_end("<eot>")));
  EXPECT_EQ(model.greedy({"-p", "\n", "--no-escape"}).out, "AB");
}

TEST(EndTokens, OfATemplateThatTheUserGives) {
  const ModelFile model(answering_model(277, template_with_end("<eos>")));
  EXPECT_EQ(model.run({"--temp", "0", "-p", "h"}).out, "AB");
  EXPECT_EQ(model.run({"--temp", "0", "-p", "h", "--chat-template", template_with_end("<eot>")}).out, "A");
}

TEST(EndTokens, AreAllBannedOnRequest) {
  const ModelFile model(answering_model(277, template_with_end("<eot>")));
  const Outcome chat = model.run({"--temp", "0", "--json", "--ignore-eos", "-n", "6", "-p", "h"});
  ASSERT_EQ(chat.status, 0) << chat.err;
  EXPECT_EQ(chat.json()["stop_reason"], "length");
  const std::vector<int> tokens = chat.json()["tokens"];
  EXPECT_THAT(tokens, testing::Not(testing::AnyOf(testing::Contains(276), testing::Contains(277))));
}

TEST(EndTokens, DeclaredByTheFile) {
  for (const char* key : {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
    TinyModel tiny = answering_model(279, template_with_end("<eot>"));
    tiny.set(key, 279u);
    EXPECT_EQ(ModelFile(tiny).greedy({"-p", "\n", "--no-escape"}).out, "A") << key;
  }
}

}  // namespace
}  // namespace armature::test
