// The built-in model, by the reference cases made for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program.h"
#include "tests/tools/reference_cases.h"

namespace armature::test {
namespace {

using nlohmann::json;

void expect_case(const json& c, std::vector<std::string> args) {
  const std::string name = c["name"];
  args.insert(args.begin(), {"run", "-v", "--temp", "0", "--json", "-n", "64", "--no-escape"});
  const Outcome outcome = run_program(args);
  ASSERT_EQ(outcome.status, 0) << name << ": " << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("prompt: " + ids_text(c["ids"]) + "\n")) << name;
  const json result = outcome.json();
  EXPECT_EQ(result["model"]["path"], "built-in");
  const std::size_t n = std::min(safe_length(c), result["tokens"].size());
  EXPECT_EQ(first(result["tokens"], n), first(c["greedy"], n)) << name;
}

TEST(BuiltinModel, RawCases) {
  const auto cases = read_cases("tiny.cases.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference data";
  for (const json& c : cases) {
    std::vector<std::string> args = {"--raw", "-p", c["text"]};
    if (!c["parse_special"].get<bool>()) args.emplace_back("--no-parse-special");
    expect_case(c, args);
  }
}

TEST(BuiltinModel, ChatCases) {
  const auto cases = read_cases("tiny-chat.cases.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference data";
  for (const json& c : cases) {
    // A run is one turn; a longer conversation is given as its rendering.
    const bool one_turn = c["messages"].size() == 1;
    const std::string prompt = one_turn ? c["messages"][0]["content"] : c["text"];
    std::vector<std::string> args = {"-p", prompt};
    if (!one_turn) args.emplace_back("--raw");
    expect_case(c, args);
  }
}

TEST(BuiltinModel, TellsAStory) {
  const Outcome outcome = run_program(
      {"run", "--temp", "0.6", "-s", "1", "Tell", "me", "a", "story", "about", "a", "brave", "fox."});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GT(outcome.out.size(), 100u);
  EXPECT_THAT(outcome.err, testing::HasSubstr("stop: eos"));
}

}  // namespace
}  // namespace armature::test
