// Chat templates in files that are wrong, hostile or refuse to work: by `run` as a chat, by `run` as plain
// text, which they must not disturb, and by `template`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Matcher;

std::string repeated(std::string_view part, std::size_t n) {
  std::string text;
  text.reserve(part.size() * n);
  for (std::size_t i = 0; i < n; ++i) text += part;
  return text;
}

/// A model that answers "A" to what ends with h or a newline.
TinyModel answering_model(const std::string& chat_template) {
  LogitTable table = path_table({104, 65, 276});
  table[{10, 65}] = 5.0f;
  TinyModel tiny = table_model(table);
  tiny.set("tokenizer.chat_template", chat_template);
  return tiny;
}

/// Checks that a chat and a rendering fail with this message, each in time, and that plain text goes on.
void expect_refusal(const std::string& chat_template, const Matcher<std::string>& message) {
  SCOPED_TRACE(chat_template.substr(0, 100));
  const ModelFile model(answering_model(chat_template));
  const TempDir folder;
  const std::string messages = folder.write("m.json", R"([{"role": "user", "content": "h"}])");
  const auto start = std::chrono::steady_clock::now();
  const Outcome chat = model.run({"--temp", "0", "-p", "h"});
  const Outcome rendered = model.command("template", {"--messages", messages});
  // Two runs of well below a second each, with room for slow builds.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  for (const Outcome& outcome : {chat, rendered}) {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("error: " + model.path() + ": chat template: line "), message));
  }
  EXPECT_THAT(chat.err, HasSubstr("--raw"));
  const Outcome plain = model.greedy({"-p", "h"});
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(plain.out, "A");
  EXPECT_EQ(model.command("template", {}).out, chat_template) << "the text of a bad template is shown";
}

TEST(BadTemplates, NestedTooDeep) {
  constexpr std::size_t kMany = 20000;
  expect_refusal("{{ " + repeated("(", kMany) + "1" + repeated(")", kMany) + " }}",
                 HasSubstr("nested deeper than 64"));
  expect_refusal(repeated("{% if 1 %}", kMany) + repeated("{% endif %}", kMany),
                 HasSubstr("nested deeper than 64"));
}

TEST(BadTemplates, AMacroThatCallsItself) {
  expect_refusal("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", HasSubstr("nested deeper than 64"));
}

TEST(BadTemplates, ThatWouldNotEnd) {
  const auto ends = AnyOf(HasSubstr("steps"), HasSubstr("longer than 4 MiB"));
  expect_refusal("{% for i in range(1000000000) %}x{% endfor %}", ends);
  expect_refusal("{{ 'a' * 1000000000 }}", ends);
  expect_refusal("{% set x = [1] %}{% for i in x %}{{ x.append(i) }}{% endfor %}",
                 HasSubstr("no method 'append' of a list"));
}

TEST(BadTemplates, NameThePlace) {
  expect_refusal("a\n{% for m in messages %}{{ m.content }", HasSubstr("line 2, column 37: "));
  expect_refusal("{% if true %}", HasSubstr("line 1, column 4: 'if' is not closed"));
  expect_refusal("ab\n\xc3\xa9\xff", HasSubstr("line 2, column 2: bytes that are not UTF-8"));
}

TEST(BadTemplates, ReachNothingButTheMessages) {
  expect_refusal("{{ ''.__class__.__mro__ }}", HasSubstr("'__class__' of a string is undefined"));
  expect_refusal("{{ messages.__class__.__init__.__globals__ }}", HasSubstr("is undefined"));
  expect_refusal("{{ open('/etc/passwd').read() }}", HasSubstr("'open' (undefined) cannot be called"));
  expect_refusal("{% import '/etc/passwd' as a %}", HasSubstr("'import' is not supported"));
  expect_refusal("{% include '/etc/passwd' %}", HasSubstr("'include' is not supported"));
}

TEST(BadTemplates, ShowTheTextOfAnException) {
  expect_refusal("{{ raise_exception('no system\x1b[2J') }}", HasSubstr("'no system\\x1b[2J'"));
}

TEST(GoodTemplates, MessagesAreNeitherTemplateNorControlTokens) {
  const ModelFile model(answering_model("{{ bos_token }}{{ messages[0].content }}<eot>\n\n"));
  struct Case {
    const char *prompt, *ids;
  };
  const Case cases[] = {
      {"{{ 1 }}", "[275, 123, 123, 32, 49, 32, 125, 125, 277, 10]"},
      {"{% raw %}", "[275, 123, 37, 32, 114, 97, 119, 32, 37, 125, 277, 10]"},
      {"<eot><im>", "[275, 60, 101, 111, 116, 62, 60, 105, 109, 62, 277, 10]"},
      {"<eos>", "[275, 60, 101, 111, 115, 62, 277, 10]"},
  };
  for (const Case& c : cases) {
    const Outcome chat = model.run({"-v", "--temp", "0", "-p", c.prompt});
    EXPECT_EQ(prompt_ids(chat), c.ids) << c.prompt;
    EXPECT_EQ(chat.out, "A") << c.prompt;
  }
}

TEST(GoodTemplates, OfAMiBTakeTimeInTheirLength) {
  constexpr std::size_t kMiB = 1 << 20;
  for (const std::string part : {"{{ 'x' }}", "{% if a %}\n{% endif %}", "{# a #}\n", "{", "xyz\n", "{{ '"}) {
    const ModelFile model(answering_model(repeated(part, kMiB / part.size())));
    const auto start = std::chrono::steady_clock::now();
    const Outcome chat = model.run({"-n", "0", "-c", "64", "-p", "h"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << part;
    EXPECT_TRUE(chat.status == 0 || chat.status == 1) << part;
    EXPECT_EQ(chat.signal, 0) << part;
  }
}

}  // namespace
}  // namespace armature::test
