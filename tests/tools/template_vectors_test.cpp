// `armature template` on the templates of known models against what the reference implementation of the
// language makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace armature::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kFolder = ARMATURE_TEST_DATA "/vectors/tokenizer/chat/";
constexpr std::size_t kCases = 26;

/// Every how manieth case runs: starting a program is slow under emulation, and with sanitizers. The tests of
/// the engine have all of them in any build.
std::size_t step() {
#ifdef ARMATURE_SANITIZED
  return 6;
#else
  return program_is_emulated() ? kCases : 1;
#endif
}

std::string assignment(const char* name, const json& value) { return std::string(name) + "=" + value.dump(); }

Outcome render(const std::string& path, const json& line, const TempDir& folder) {
  Launch launch{{"template", "--template", path, "--now", "2026-01-15 10:30:00"}};
  launch.args.insert(launch.args.end(),
                     {"--messages", folder.write("messages.json", line.at("messages").dump()), "--set",
                      assignment("add_generation_prompt", line.at("add_generation_prompt"))});
  for (const char* token : {"bos_token", "eos_token"}) {
    if (line.at(token) == "") continue;  // not defined
    launch.args.insert(launch.args.end(), {"--set", assignment(token, line.at(token))});
  }
  return run_program(launch);
}

class TemplateVectors : public testing::TestWithParam<const char*> {};

TEST_P(TemplateVectors, RenderLikeTheReference) {
  const std::string name = GetParam();
  std::ifstream cases(kFolder + name + ".cases.jsonl");
  if (!cases) GTEST_SKIP() << "no reference data in " << kFolder;
  const TempDir folder;
  std::size_t n = 0;
  for (std::string text; std::getline(cases, text); ++n) {
    if (n % step() != 0) continue;
    const json line = json::parse(text);
    const Outcome outcome = render(kFolder + "templates/" + name + ".jinja", line, folder);
    if (line.contains("rendered")) {
      EXPECT_EQ(outcome.status, 0) << line.at("id") << outcome.err;
      EXPECT_EQ(outcome.out, line.at("rendered").get<std::string>()) << line.at("id");
    } else {
      EXPECT_EQ(outcome.status, 1) << line.at("id");
      EXPECT_EQ(outcome.out, "") << line.at("id");
      EXPECT_THAT(outcome.err, HasSubstr(line.at("message").get<std::string>())) << line.at("id");
    }
  }
  EXPECT_EQ(n, kCases);
}

INSTANTIATE_TEST_SUITE_P(Program, TemplateVectors,
                         testing::Values("chatml", "command-r", "deepseek-coder", "deepseek-r1-distill",
                                         "gemma-2", "gemma-3", "granite-3.3", "llama-2", "llama-3",
                                         "llama-3.1", "llama-3.2", "mistral-nemo", "mistral-v0.2-old",
                                         "mistral-v1", "mistral-v3", "olmo-2", "phi-3", "phi-3.5", "phi-4",
                                         "phi-4-early", "qwen2.5", "qwen3", "qwen3.5", "smollm2", "smollm3",
                                         "stablelm-2", "zephyr"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace armature::test
