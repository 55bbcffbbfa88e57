// `armature chat` on real models, by the reference cases made for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/program.h"
#include "tests/tools/reference_cases.h"

namespace armature::test {
namespace {

using nlohmann::json;

/// The messages of a case as a saved chat, to be loaded and answered.
std::string saved_chat(const json& c) {
  return json{{"format", "armature chat"},
              {"version", 1},
              {"model", {{"name", "reference"}, {"architecture", "llama"}, {"bytes", 1}}},
              {"messages", c["messages"]}}
      .dump();
}

void expect_answer(const json& c, const Outcome& outcome) {
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("prompt: " + ids_text(c["ids"]) + "\n"));
  const json turn = outcome.json();
  EXPECT_EQ(turn["n_prompt"], c["ids"].size());
  const std::size_t n = std::min(safe_length(c), turn["tokens"].size());
  EXPECT_EQ(first(turn["tokens"], n), first(c["greedy"], n));
}

void expect_cases(const std::vector<json>& cases, const std::vector<std::string>& model) {
  for (const json& c : cases) {
    SCOPED_TRACE(c["name"].get<std::string>());
    std::vector<std::string> args = {"chat", "-st", "-v", "--json", "--temp", "0", "-n", "64", "--no-escape"};
    args.insert(args.end(), model.begin(), model.end());
    const TempDir folder;
    expect_answer(
        c, run_program(
               Launch{.args = args, .input = "/load " + folder.write("chat", saved_chat(c)) + "\n/regen\n"}));
    const json& messages = c["messages"];
    if (messages.size() != 1) continue;
    args.insert(args.end(), {"-p", messages[0]["content"]});
    expect_answer(c, run_program(args));
  }
}

TEST(ChatReference, BuiltinModel) {
  auto cases = read_cases("tiny-chat.cases.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference data";
  if (program_is_emulated()) cases.resize(1);
  expect_cases(cases, {});
}

TEST(ChatReference, SmolLM2) {
#ifdef ARMATURE_SLOW_RUN
  GTEST_SKIP() << "too slow in this build";
#endif
  const std::string model = ARMATURE_TEST_DATA "/models/SmolLM2-135M-Instruct.Q4_1.gguf";
  if (!std::filesystem::exists(model)) GTEST_SKIP() << "no reference data";
  expect_cases(read_cases("smollm2-chat.cases.jsonl"), {"-m", model});
}

// Answered turn by turn: the tokens of the first answer are kept as they were made.
TEST(ChatReference, SecondTurnProcessesWhatIsNew) {
  const Outcome outcome = run_program(
      Launch{.args = {"chat", "--json", "--temp", "0"}, .input = "Hello!\nTell me a story about a fox.\n"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::size_t line_end = outcome.out.find('\n');
  const json hello = json::parse(outcome.out.substr(0, line_end));
  const json story = json::parse(outcome.out.substr(line_end));
  EXPECT_EQ(hello["stop_reason"], "eos");
  const int n_read = hello["n_prompt"].get<int>() + hello["n_generated"].get<int>();
  EXPECT_EQ(story["n_cached"].get<int>(), n_read - 1);
}

}  // namespace
}  // namespace armature::test
