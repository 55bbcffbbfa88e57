// Flags whose values the environment gives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/support/program.h"
#include "tools/answer/template_variables.h"
#include "tools/cli/flags.h"

namespace armature::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Variables = std::map<std::string, std::string>;

Arguments with_variables(const std::vector<std::string_view>& words, const Variables& variables) {
  Arguments args = Arguments::parse(kRun, words);
  args.read_environment(kRun, [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string_view() : std::string_view(found->second);
  });
  return args;
}

std::string refusal(const Variables& variables) {
  try {
    with_variables({}, variables);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(Environment, GivesValuesWhereTheFlagDoesNot) {
  const Variables variables = {{"LLAMA_ARG_THREADS", "3"}, {"LLAMA_ARG_MODEL", "m.gguf"}};
  const Arguments args = with_variables({}, variables);
  EXPECT_EQ(args.integer(Option::Threads), 3);
  EXPECT_TRUE(args.is_given(Option::Model));
  EXPECT_EQ(args.name_of(Option::Threads), "LLAMA_ARG_THREADS");
  EXPECT_THAT(args.environment(), testing::UnorderedElementsAre("LLAMA_ARG_THREADS=3 (for -t)",
                                                                "LLAMA_ARG_MODEL=m.gguf (for -m)"));
  const Arguments given = with_variables({"--threads", "5"}, variables);
  EXPECT_EQ(given.integer(Option::Threads), 5) << "the command line wins";
  EXPECT_EQ(given.name_of(Option::Threads), "--threads");
}

TEST(Environment, GivesWayToFlagsThatDecideTheSame) {
  const auto expect_unset = [](const std::vector<std::string_view>& words, const char* variable,
                               const char* value, Option option) {
    const Arguments args = with_variables(words, {{variable, value}});
    EXPECT_FALSE(args.is_given(option)) << variable;
    EXPECT_THAT(args.environment(), IsEmpty()) << variable;
  };
  expect_unset({"--chat-template-file", "f"}, "LLAMA_ARG_CHAT_TEMPLATE", "chatml", Option::ChatTemplate);
  expect_unset({"--chat-template", "chatml"}, "LLAMA_ARG_CHAT_TEMPLATE_FILE", "f", Option::ChatTemplateFile);
  expect_unset({"--rope-freq-scale", "0.125"}, "LLAMA_ARG_ROPE_SCALE", "1", Option::RopeScale);
  expect_unset({"-rea", "on"}, "LLAMA_ARG_THINK_BUDGET", "0", Option::ThinkingBudget);
  expect_unset({"--no-mmap"}, "LLAMA_ARG_LOAD_MODE", "mmap", Option::LoadMode);
  expect_unset({"--mlock"}, "LLAMA_ARG_LOAD_MODE", "none", Option::LoadMode);
  expect_unset({"-lm", "none"}, "LLAMA_ARG_MLOCK", "1", Option::Mlock);
  EXPECT_TRUE(with_variables({"--reasoning-budget", "-1"}, {{"LLAMA_ARG_REASONING", "off"}})
                  .is_given(Option::Thinking))
      << "-1 decides nothing";
}

TEST(Environment, VariablesOfTheTemplateGiveWayToFlags) {
  const Variables variables = {{"LLAMA_ARG_CHAT_TEMPLATE_KWARGS", R"({"enable_thinking": true, "x": 1})"}};
  const auto thinking = [&](const std::vector<std::string_view>& words) {
    return template_variables(with_variables(words, variables)).at("enable_thinking").truthy();
  };
  EXPECT_TRUE(thinking({}));
  EXPECT_FALSE(thinking({"-rea", "off"}));
  EXPECT_TRUE(thinking({"-rea", "off", "--chat-template-kwargs", R"({"enable_thinking": true})"}));
}

TEST(Environment, IsToldBehindAnError) {
  test::Launch launch{.args = {"run", "-p", "x"}, .environment = {{"LLAMA_ARG_MODEL", "/no/such.gguf"}}};
  const test::Outcome outcome = test::run_program(launch);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("environment: LLAMA_ARG_MODEL=/no/such.gguf (for -m)\n"));
  launch.environment = {{"LLAMA_ARG_CHAT_TEMPLATE", "no-such"}};
  EXPECT_THAT(test::run_program(launch).err, HasSubstr("error: LLAMA_ARG_CHAT_TEMPLATE: value 'no-such'"));
}

TEST(Environment, SwitchesHaveTheWordsOfLlamaCpp) {
  for (const char* word : {"on", "enabled", "true", "1"}) {
    EXPECT_TRUE(with_variables({}, {{"LLAMA_ARG_MLOCK", word}}).is_on(Option::Mlock)) << word;
    EXPECT_TRUE(with_variables({}, {{"LLAMA_ARG_MMAP", word}}).is_on(Option::Mmap)) << word;
    EXPECT_FALSE(with_variables({}, {{"LLAMA_ARG_NO_MMAP", word}}).is_on(Option::Mmap)) << word;
  }
  for (const char* word : {"off", "disabled", "false", "0"}) {
    EXPECT_FALSE(with_variables({}, {{"LLAMA_ARG_MLOCK", word}}).is_on(Option::Mlock)) << word;
    EXPECT_FALSE(with_variables({}, {{"LLAMA_ARG_MMAP", word}}).is_on(Option::Mmap)) << word;
    EXPECT_FALSE(with_variables({}, {{"LLAMA_ARG_NO_MMAP", word}}).is_on(Option::Mmap)) << word;
  }
  EXPECT_FALSE(with_variables({}, {{"LLAMA_ARG_MMAP", "1"}, {"LLAMA_ARG_NO_MMAP", "1"}}).is_on(Option::Mmap));
  EXPECT_EQ(with_variables({}, {{"LLAMA_ARG_FLASH_ATTN", "auto"}}).text(Option::FlashAttn), "auto");
}

TEST(Environment, BadValuesNameTheVariable) {
  EXPECT_THAT(refusal({{"LLAMA_ARG_THREADS", "many"}}),
              HasSubstr("LLAMA_ARG_THREADS: value 'many'; allowed: 1 to 1024"));
  EXPECT_THAT(refusal({{"LLAMA_ARG_MMAP", "maybe"}}), HasSubstr("LLAMA_ARG_MMAP: value 'maybe'"));
  EXPECT_THAT(refusal({{"LLAMA_ARG_CACHE_TYPE_K", "q8_0"}}),
              HasSubstr("LLAMA_ARG_CACHE_TYPE_K: value 'q8_0'"));
}

TEST(Environment, EmptyVariablesAreNotSet) {
  EXPECT_FALSE(with_variables({}, {{"LLAMA_ARG_THREADS", ""}}).is_given(Option::Threads));
}

TEST(Environment, WhatIsRefusedOrIgnoredIsNoted) {
  const Arguments args = with_variables(
      {}, {{"LLAMA_ARG_HF_REPO", "a/b"}, {"LLAMA_ARG_N_GPU_LAYERS", "99"}, {"LLAMA_ARG_NO_HOST", "perhaps"}});
  ASSERT_EQ(args.notes().size(), 2u);
  EXPECT_THAT(args.notes()[0], HasSubstr("ignored: LLAMA_ARG_N_GPU_LAYERS, LLAMA_ARG_NO_HOST"));
  EXPECT_THAT(args.notes()[1], HasSubstr("not honoured: LLAMA_ARG_HF_REPO"));
  EXPECT_THAT(with_variables({}, {{"LLAMA_ARG_N_PARALLEL", "1"}}).notes(), IsEmpty())
      << "it asks for nothing";
  EXPECT_THAT(with_variables({}, {{"HF_TOKEN", "secret"}}).notes(), IsEmpty()) << "it is not for us";
}

TEST(Environment, IsReadByTheProgram) {
  test::Launch launch{.args = {"run", "--raw", "-v", "--temp", "0", "--json", "-p", "Once"}};
  launch.environment = {{"LLAMA_ARG_N_PREDICT", "3"}, {"LLAMA_ARG_HF_TOKEN", "x"}, {"LLAMA_ARG_RPC", "a:1"}};
  const test::Outcome outcome = test::run_program(launch);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["tokens"].size(), 3u);
  EXPECT_THAT(outcome.err, HasSubstr("environment: LLAMA_ARG_N_PREDICT=3 (for -n)\n"));
  EXPECT_THAT(outcome.err, HasSubstr("note: not honoured: LLAMA_ARG_RPC"));
  launch.args = {"run", "--help"};
  launch.environment = {{"LLAMA_ARG_N_PREDICT", "x"}};
  EXPECT_EQ(test::run_program(launch).status, 0) << "help does not depend on it";
  launch.args = {"run", "-p", "x"};
  EXPECT_EQ(test::run_program(launch).status, 2);
}

}  // namespace
}  // namespace armature::tools
