// `armature template`: what it prints, and of what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kTurns =
    "{{ bos_token }}{% for m in messages %}<im>{{ m.role }}\n"
    "{{ m.content }}<eot>\n"
    "{% endfor %}{% if add_generation_prompt %}<im>assistant\n"
    "{% endif %}";
constexpr const char* kHello = R"([{"role": "user", "content": "hello"}])";

TinyModel model_with(const std::string& chat_template) {
  TinyModel tiny = table_model(path_table({104, 65, 276}));
  tiny.set("tokenizer.chat_template", chat_template);
  return tiny;
}

/// `armature template` on files of these contents.
class Templates {
 public:
  /// Renders `messages` with a template of the command line's own.
  Outcome render(const std::string& text, const std::string& messages, const Args& args = {}) const {
    return run_program(Args{"template", "--template", folder_.write("t.jinja", text), "--messages",
                            folder_.write("m.json", messages)} +
                       args);
  }
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

 private:
  TempDir folder_;
};

TEST(TemplateCommand, PrintsTheTextOfTheFileAsItIs) {
  for (const std::string text : {"{{ a }}\r\n\n  ", "{% never closed", "\xff \x1b[2J"}) {
    const ModelFile model(model_with(text));
    const Outcome shown = model.command("template", {});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_EQ(shown.out, text);
  }
}

TEST(TemplateCommand, PrintsItWithoutUsingTheVocabulary) {
  TinyModel tiny = model_with("{{ a }}");
  tiny.erase_key("tokenizer.ggml.tokens");
  const ModelFile model(tiny);
  EXPECT_EQ(model.command("template", {}).out, "{{ a }}");
  EXPECT_EQ(model.command("template", {"--messages", "/dev/null"}).status, 1);
}

TEST(TemplateCommand, SaysWhenThereIsNone) {
  for (const TinyModel& without : {table_model(path_table({104, 65, 276})), model_with("")}) {
    const ModelFile model(without);
    const Outcome none = model.command("template", {});
    EXPECT_EQ(none.status, 1);
    EXPECT_EQ(none.out, "");
    EXPECT_THAT(none.err, HasSubstr("error: " + model.path() + ": no chat template in the file"));
  }
}

TEST(TemplateCommand, SaysWhenItIsNoText) {
  TinyModel tiny = model_with("");
  tiny.set("tokenizer.chat_template", 7u);
  const ModelFile model(tiny);
  const Outcome outcome = model.command("template", {});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("'tokenizer.chat_template': "));
}

TEST(TemplateCommand, RendersWithTheTokensOfTheModel) {
  const ModelFile model(model_with(kTurns));
  const Templates files;
  const std::string messages = files.write("m.json", kHello);
  EXPECT_EQ(model.command("template", {"--messages", messages}).out, "<bos><im>user\nhello<eot>\n");
  EXPECT_EQ(model.command("template", {"--messages", messages, "--set", "add_generation_prompt=true"}).out,
            "<bos><im>user\nhello<eot>\n<im>assistant\n");
  EXPECT_EQ(model.command("template", {"--messages", messages, "--set", "bos_token=\"<x>\""}).out,
            "<x><im>user\nhello<eot>\n");
  const std::string other = files.write("t.jinja", "{{ eos_token }}{{ add_generation_prompt }}");
  EXPECT_EQ(model.command("template", {"--template", other, "--messages", messages}).out, "<eos>False");
}

TEST(TemplateCommand, WithoutAModelVariablesAreUndefined) {
  const Templates files;
  const Outcome outcome = files.render(
      "{{ bos_token is defined }}{{ eos_token is defined }}{{ add_generation_prompt is defined }}"
      "{{ tools is none }}{{ messages[0].content }}",
      kHello);
  EXPECT_EQ(outcome.out, "FalseFalseFalseTruehello");
  EXPECT_EQ(outcome.err, "");
}

TEST(TemplateCommand, SetsAnyVariable) {
  const Templates files;
  EXPECT_EQ(files
                .render("{{ a.b[1] }}{{ c }}{{ d is none }}{{ e }}{{ tools[0].name }}", "[]",
                        {"--set", R"(a={"b": [1, "x=y"]})", "--set", "c=1.5", "--set", "d=null", "--set=e=-3",
                         "--set", R"(tools=[{"name": "t"}])"})
                .out,
            "x=y1.5True-3t");
  EXPECT_EQ(files.render("{{ a }}", "[]", {"--set", "a=1", "--set", "a=2"}).out, "2") << "the last counts";
}

TEST(TemplateCommand, MessagesMayHoldMoreThanText) {
  const Templates files;
  const Outcome outcome = files.render(
      "{% for m in messages %}{{ m.role }}:{{ m.content is none }}{{ m.tool_calls | tojson }};"
      "{{ m.content[0].text if m.content }}{% endfor %}",
      R"([{"role": "assistant", "content": null, "tool_calls": [{"id": 1, "f": {"z": "é", "a": []}}]},
          {"role": "user", "content": [{"type": "text", "text": "hi"}], "tool_calls": 12}])");
  EXPECT_EQ(outcome.out, "assistant:True[{\"id\": 1, \"f\": {\"z\": \"\u00e9\", \"a\": []}}];user:False12;hi")
      << outcome.err;
}

TEST(TemplateCommand, OneOfTheFilesMayBeStandardInput) {
  const Templates files;
  const std::string messages = files.write("m.json", kHello);
  const std::string text = files.write("t.jinja", "{{ messages[0].content }}!");
  EXPECT_EQ(
      run_program({.args = {"template", "--template", "-", "--messages", messages}, .input = "<{{ 1 }}>\n"})
          .out,
      "<1>");
  EXPECT_EQ(run_program({.args = {"template", "--template", text, "--messages", "-"}, .input = kHello}).out,
            "hello!");
  const Outcome both = run_program({"template", "--template", "-", "--messages", "-"});
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("cannot both be standard input"));
}

TEST(TemplateCommand, TheClockCanBeFixed) {
  const Templates files;
  const std::string text = "{{ strftime_now('%A %d %b %Y %H:%M:%S %j') }}";
  EXPECT_EQ(files.render(text, "[]", {"--now", "2026-01-15 10:30:00"}).out,
            "Thursday 15 Jan 2026 10:30:00 015");
  EXPECT_EQ(files.render(text, "[]", {"--now", "2024-02-29"}).out, "Thursday 29 Feb 2024 00:00:00 060");
  for (const char* wrong : {"", "today", "2026-02-29", "2026-01-15 24:00:00", "2026-1-15", "+026-01-15",
                            "2026-01-15 10:30:00Z", "2026-00-10"}) {
    const Outcome outcome = files.render(text, "[]", {"--now", wrong});
    EXPECT_EQ(outcome.status, 2) << wrong;
    EXPECT_THAT(outcome.err, HasSubstr("--now")) << wrong;
  }
}

TEST(TemplateCommand, KnowsFormatsByName) {
  const Templates files;
  const std::string messages = files.write("m.json", kHello);
  EXPECT_EQ(run_program({"template", "--chat-template", "chatml", "--messages", messages, "--set",
                         "add_generation_prompt=true"})
                .out,
            "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n");
  const Outcome text = run_program({"template", "--chat-template", "llama3"});
  EXPECT_THAT(text.out, HasSubstr("<|start_header_id|>"));
  const Outcome unknown = run_program({"template", "--chat-template", "lama3"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("value 'lama3'; allowed: "));
  EXPECT_THAT(unknown.err, HasSubstr("chatml, "));
  EXPECT_THAT(unknown.err, HasSubstr("llama3, "));
}

TEST(TemplateCommand, FaultsOfMessagesNameFileAndPlace) {
  const Templates files;
  struct Case {
    std::string json, problem;
  };
  const Case cases[] = {
      {"[{\"role\": \"user\",\n \"content\": hello}]", "m.json: line 2, column 13: not JSON"},
      {"[{\"role\": \"\u00e9\u00e9\" 1}]", "m.json: line 1, column 16: not JSON"},
      {"", "m.json: line 1, column 1: not JSON"},
      {"[", "m.json: line 1, column 2: not JSON"},
      {"[] []", "m.json: line 1, column 4: not JSON"},
      {"[\"\xff\"]", "m.json: line 1, column 3: not JSON"},
      {"{}", "m.json: a dict; a list of messages is needed"},
      {"[{}, 1]", "m.json: message 2 is an integer"},
      {"[{\"n\": 9223372036854775808}]", "m.json: an integer that is too large"},
      {"[{\"n\": 1" + std::string(400, '0') + "}]", "m.json: "},
      {"[{\"n\": " + std::string(100, '[') + std::string(100, ']') + "}]", "m.json: nested deeper than 64"},
      {std::string(200000, '['), "m.json: nested deeper than 64"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = files.render("x", c.json);
    EXPECT_EQ(outcome.status, 1) << c.json.substr(0, 80);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr(c.problem)) << c.json.substr(0, 80);
  }
  EXPECT_THAT(
      run_program({"template", "--template", files.write("t.jinja", "x"), "--messages", "/nowhere/m.json"})
          .err,
      HasSubstr("/nowhere/m.json: "));
}

TEST(TemplateCommand, FaultsOfTheCommandLine) {
  const Templates files;
  for (const Args& wrong : {Args{"--set", "a"},
                            {"--set", "=1"},
                            {"--set", "a=x"},
                            {"--set", "a="},
                            {"--set", "messages=[]"},
                            {"word"}}) {
    const Outcome outcome = files.render("x", "[]", wrong);
    EXPECT_EQ(outcome.status, 2) << wrong.back();
    EXPECT_EQ(outcome.out, "");
  }
  const Outcome text = files.render("x", "[]", {"--set", "bos_token=<s>"});
  EXPECT_THAT(text.err, HasSubstr("--set 'bos_token': line 1, column 1: not JSON"));
  EXPECT_THAT(text.err, HasSubstr("double quotes"));
}

TEST(TemplateCommand, TakesFlagsOfOthersForTheSakeOfScripts) {
  const Templates files;
  EXPECT_EQ(files.render("x", "[]", {"--jinja"}).out, "x");
  const Outcome outcome = files.render("x", "[]", {"--no-jinja"});
  EXPECT_EQ(outcome.out, "x");
  EXPECT_EQ(outcome.err,
            "note: ignored: --no-jinja (chat templates, named ones too, are always interpreted as Jinja)\n");
}

TEST(TemplateCommand, FaultsOfTemplatesNameFileLineAndColumn) {
  const Templates files;
  const Outcome unclosed = files.render("\n\u00e9{% for m in messages %}{{ m.content }", kHello);
  EXPECT_EQ(unclosed.status, 1);
  EXPECT_EQ(unclosed.out, "");
  EXPECT_THAT(unclosed.err, HasSubstr("t.jinja: chat template: line 2, column 38: "));
  const Outcome refused = files.render("{{ raise_exception('no \x1b[2J') }}", kHello);
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, EndsWith("column 19: the template refuses: 'no \\x1b[2J'\n"));
}

}  // namespace
}  // namespace armature::test
