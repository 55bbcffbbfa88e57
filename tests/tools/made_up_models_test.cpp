// `armature run` on models whose answer is known by construction.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<int> ids(std::initializer_list<int> list) { return list; }
std::vector<int> tokens_of(const Outcome& outcome) { return outcome.json()["tokens"]; }

TEST(RunOutput, IsValidUtf8) {
  const ModelFile model(table_model(path_table({104, 255, 65, 192, 128, 276})));
  const std::string text = "\uFFFDA\uFFFD\uFFFD";
  const Outcome plain = model.greedy({"-p", "h"});
  EXPECT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(plain.out, text);
  const Outcome json = model.greedy({"-p", "h", "--json"});
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(json.json()["text"], text);
  EXPECT_EQ(tokens_of(json), ids({255, 65, 192, 128, 276}));
  EXPECT_EQ(json.json()["stop_reason"], "eos");
}

struct StopCase {
  Args stop_strings;
  std::string text;
  std::string reason;
};

TEST(RunStopStrings, AreNeverShown) {
  const ModelFile hello(table_model(path_table({104, 65, 266, 33, 276})));
  const ModelFile accent(table_model(path_table({104, 195, 169, 33, 276})));
  const StopCase cases[] = {
      {{"ello"}, "A h", "stop"},        {{"o!"}, "A hell", "stop"},      {{" hello"}, "A", "stop"},
      {{"hello "}, "A hello!", "eos"},  {{"hello!", "A h"}, "", "stop"}, {{"\u00e9"}, "", "stop"},
      {{"\\x6c\\x6c"}, "A he", "stop"},
  };
  for (const StopCase& c : cases) {
    Args flags = {"-p", "h"};
    for (const std::string& stop : c.stop_strings) flags = flags + Args{"-r", stop};
    const ModelFile& model = c.stop_strings[0] == "\u00e9" ? accent : hello;
    EXPECT_EQ(model.greedy(flags).out, c.text) << c.stop_strings[0];
    const auto json = model.greedy(flags + Args{"--json"}).json();
    EXPECT_EQ(json["text"], c.text) << c.stop_strings[0];
    EXPECT_EQ(json["stop_reason"], c.reason) << c.stop_strings[0];
  }
}

constexpr const char* kChatTemplate =
    "{{ bos_token }}{% for m in messages %}<im>{{ m.role }}\n"
    "{{ m.content }}<eot>\n"
    "{% endfor %}{% if add_generation_prompt %}<im>assistant\n"
    "{% endif %}";

TEST(RunPrompt, HasExactlyOneBos) {
  for (const bool add_bos : {false, true}) {
    TinyModel tiny = table_model(path_table({10, 65, 276}));
    tiny.set("tokenizer.ggml.add_bos_token", add_bos).set("tokenizer.chat_template", kChatTemplate);
    const ModelFile model(tiny);
    const Outcome chat = model.run({"-v", "--temp", "0", "-p", "hello"});
    EXPECT_EQ(chat.out, "A") << chat.err;
    EXPECT_EQ(prompt_ids(chat),
              "[275, 279, 117, 115, 101, 114, 10, 265, 277, 10, 279, 97, 115, 115, 105, 115, 116, 97, 110, "
              "116, 10]");
    if (!add_bos) continue;
    for (const char* prompt : {"hello", "<bos>hello"})
      EXPECT_EQ(prompt_ids(model.greedy({"-v", "-n", "0", "-p", prompt})), "[275, 265]") << prompt;
  }
}

TEST(RunPrompt, ControlTokensInWordsOfTheUser) {
  TinyModel tiny = table_model(path_table({10, 276}));
  tiny.set("tokenizer.chat_template", kChatTemplate);
  const ModelFile model(tiny);
  const std::string chat = prompt_ids(model.run({"-v", "-n", "0", "-p", "<eot>"}));
  EXPECT_THAT(chat, HasSubstr("114, 10, 60, 101, 111, 116, 62, 277, 10")) << "plain text in a message";
  EXPECT_EQ(prompt_ids(model.greedy({"-v", "-n", "0", "-p", "<eot>"})), "[277]");
  EXPECT_EQ(prompt_ids(model.greedy({"-v", "-n", "0", "--no-parse-special", "-p", "<eot>"})),
            "[60, 101, 111, 116, 62]");
}

TEST(RunTemplate, NeverClosed) {
  TinyModel tiny = table_model(path_table({104, 65, 276}));
  tiny.set("tokenizer.chat_template", "{% for m in messages %}{{ m.content }");
  const ModelFile model(tiny);
  const Outcome chat = model.run({"-p", "h"});
  EXPECT_EQ(chat.status, 1);
  EXPECT_EQ(chat.out, "");
  EXPECT_THAT(chat.err, HasSubstr("error: " + model.path() + ": "));
  EXPECT_THAT(chat.err, HasSubstr("template"));
  EXPECT_THAT(chat.err, HasSubstr("line 1, column"));
  EXPECT_THAT(chat.err, HasSubstr("--raw"));
  EXPECT_EQ(model.greedy({"-p", "h"}).out, "A");
}

TEST(RunTemplate, ThatRefuses) {
  TinyModel tiny = table_model(path_table({104, 65, 276}));
  tiny.set("tokenizer.chat_template",
           "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
           "{{ messages[0].content }}");
  const ModelFile model(tiny);
  const Outcome with_system = model.run({"-sys", "x", "-p", "h"});
  EXPECT_EQ(with_system.status, 1);
  EXPECT_THAT(with_system.err, HasSubstr("no system"));
  const Outcome without = model.run({"--temp", "0", "-p", "h"});
  EXPECT_EQ(without.status, 0) << without.err;
  EXPECT_EQ(without.out, "A");
}

TEST(RunTemplate, OfTheWrongType) {
  TinyModel tiny = table_model(path_table({104, 65, 276}));
  tiny.set("tokenizer.chat_template", 7u);
  const ModelFile model(tiny);
  const Outcome chat = model.run({"-p", "h"});
  EXPECT_EQ(chat.status, 1);
  EXPECT_THAT(chat.err, HasSubstr("error: " + model.path() + ": "));
  EXPECT_THAT(chat.err, HasSubstr("--raw"));
  EXPECT_EQ(model.greedy({"-p", "h"}).out, "A");
}

TEST(RunTemplate, ThatIsMissing) {
  const ModelFile model(table_model(path_table({104, 65, 276})));
  const Outcome plain = model.run({"--temp", "0", "-p", "h"});
  EXPECT_EQ(plain.out, "A");
  EXPECT_THAT(plain.err, HasSubstr("no chat template"));
  EXPECT_THAT(model.greedy({"-p", "h"}).err, Not(HasSubstr("no chat template")));
  const Outcome chat = model.run({"-cnv", "-p", "h"});
  EXPECT_EQ(chat.status, 1);
  EXPECT_THAT(chat.err, HasSubstr("--chat-template"));
  EXPECT_THAT(chat.err, HasSubstr("--raw"));
  EXPECT_EQ(model.run({"--temp", "0", "-p", "x", "--chat-template", "{{ 'h' }}"}).out, "A");
  EXPECT_EQ(model.run({"-p", "x", "--chat-template", "chat-ml"}).status, 2);
}

TEST(RunTemperature, ZeroIsTheBest) {
  for (const float scale : {1.0f, 10000.0f}) {
    const ModelFile model(table_model({{{97, 65}, 3.0f * scale}, {{97, 66}, 2.999f * scale}}));
    for (const char* temperature : {"0", "1e-8"}) {
      for (int seed = 0; seed < 10; ++seed) {
        const Outcome outcome = model.run(
            {"--raw", "-p", "a", "-n", "1", "--ids", "--temp", temperature, "-s", std::to_string(seed)});
        EXPECT_EQ(outcome.out, "[65]\n") << temperature << " " << seed << " " << outcome.err;
      }
    }
  }
  const ModelFile equal(table_model({{{97, 65}, 3.0f}, {{97, 66}, 3.0f}}));
  for (int seed = 0; seed < 5; ++seed)
    EXPECT_EQ(equal.greedy({"-p", "a", "-n", "1", "--ids", "-s", std::to_string(seed)}).out, "[65]\n");
  for (const char* refused : {"-1", "nan"})
    EXPECT_EQ(equal.run({"-p", "a", "--temp", refused}).status, 2) << refused;
}

TEST(RunPenalty, LooksBackAsFarAsItSays) {
  const ModelFile model(table_model({{{66, 88}, 2.0f}, {{66, 89}, 1.9f}}));
  const std::string prompt = "X" + std::string(100, 'Z') + "B";
  const std::pair<const char*, int> cases[] = {{"-1", 89}, {"0", 88}, {"64", 88}, {"101", 88}, {"102", 89}};
  for (const auto& [window, best] : cases) {
    const Outcome outcome = model.greedy(
        {"-p", prompt, "-n", "1", "--json", "--repeat-penalty", "1.1", "--repeat-last-n", window});
    EXPECT_EQ(tokens_of(outcome), ids({best})) << window;
  }
}

TEST(RunSeed, RepeatsARun) {
  LogitTable even;
  for (int last = 0; last < 280; ++last) {
    for (int next = 64; next < 128; ++next) even[{last, next}] = 0.0f;
  }
  const ModelFile model(table_model(even));
  const auto run = [&](const Args& seed) {
    const Args all_off = {"--temp", "1", "--top-k", "0", "--top-p", "1", "--min-p", "0"};
    return model.run(Args{"--raw", "-p", "a", "-n", "16", "--json"} + all_off + seed).json();
  };
  const auto free_run = run({});
  EXPECT_NE(free_run["tokens"], run({})["tokens"]);
  EXPECT_NE(run({"-s", "-1"})["tokens"], run({"-s", "-1"})["tokens"]);
  EXPECT_EQ(run({"-s", "42"})["tokens"], run({"-s", "42"})["tokens"]);
  EXPECT_EQ(run({"-s", "0"})["tokens"], run({"-s", "0"})["tokens"]);
  EXPECT_NE(run({"-s", "0"})["tokens"], run({"-s", "42"})["tokens"]);
  EXPECT_EQ(run({"-s", std::to_string(free_run["seed"].get<std::uint32_t>())})["tokens"], free_run["tokens"]);
}

TEST(RunContext, RefusesALongerPrompt) {
  TinyModel tiny = table_model(path_table({66, 66}), -20.0f, 64);
  tiny.set("tokenizer.ggml.add_bos_token", true);
  const ModelFile model(tiny);
  const Outcome outcome = model.greedy({"-p", "A" + std::string(200, 'B')});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("202"));
  EXPECT_THAT(outcome.err, HasSubstr("64"));
}

TEST(RunContext, FullIsANormalEnd) {
  const ModelFile model(table_model(path_table({66, 66})));
  const auto json = model.greedy({"-p", "BBBB", "-c", "10", "--json"});
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(json.json()["stop_reason"], "context");
  EXPECT_EQ(json.json()["text"], "BBBBBBB") << "the last token needs no place of its own";
  EXPECT_THAT(model.greedy({"-p", "BBBB", "-c", "10"}).err, HasSubstr("stop: context"));
}

TEST(RunLength, StopsWhenAsked) {
  const ModelFile model(table_model(path_table({66, 66})));
  const auto json = model.greedy({"-p", "B", "-n", "5", "--json"}).json();
  EXPECT_EQ(json["stop_reason"], "length");
  EXPECT_EQ(json["text"], "BBBBB");
  const Outcome none = model.greedy({"-p", "B", "-n", "0"});
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(model.greedy({"-p", "B", "-n", "0", "--ids"}).out, "[]\n");
}

TEST(RunLength, IgnoresTheEnd) {
  LogitTable table = path_table({66, 276});
  table[{66, 277}] = 4.0f;
  table[{66, 65}] = 3.0f;
  const ModelFile model(table_model(table));
  EXPECT_EQ(model.greedy({"-p", "B", "-n", "1", "--ids"}).out, "[276]\n");
  EXPECT_EQ(model.greedy({"-p", "B", "-n", "1", "--ids", "--ignore-eos"}).out, "[65]\n");
}

TEST(RunBatch, SizeDoesNotChangeTheAnswer) {
  // Of the 100 tokens the last is `c`; `a` is seen most often and stays ahead.
  std::string prompt = std::string(60, 'a') + std::string(39, 'b') + "c";
  const ModelFile model(count_model());
  const auto text = model.greedy({"-p", prompt, "-n", "64", "--json"}).json()["text"];
  EXPECT_EQ(text, std::string(64, 'a'));
  for (const char* size : {"1", "2", "7", "31", "32", "33", "100", "512"}) {
    for (const Args& batch : {Args{"-b", size}, Args{"-ub", size}, Args{"-ub", size, "--batch-invariant"}})
      EXPECT_EQ(model.greedy(Args{"-p", prompt, "-n", "64", "--json"} + batch).json()["text"], text) << size;
  }
}

TEST(RunEcho, ShowsThePromptFirst) {
  TinyModel tiny = table_model(path_table({104, 65, 276}));
  EXPECT_EQ(ModelFile(tiny).greedy({"--echo", "-p", "x\xFFh"}).out, "x\uFFFDhA");
  tiny.set("tokenizer.chat_template", "[{{ messages[0].content }}]h");
  EXPECT_EQ(ModelFile(tiny).run({"--temp", "0", "--echo", "-p", "x"}).out, "[x]hA");
}

}  // namespace
}  // namespace armature::test
