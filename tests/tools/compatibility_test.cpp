// Flags that are taken over from llama.cpp, by what they do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A model that says "A" after "h", with a chat template that shows its variables.
class Compatibility : public testing::Test {
 protected:
  static TinyModel table() {
    TinyModel model = table_model(path_table({104, 65, 276}), -20.0f, 4096);
    model.erase_key("llama.rope.freq_base");
    model.set("tokenizer.chat_template",
              "{{ enable_thinking is defined }}{{ enable_thinking }}{{ reasoning_effort }}{{ x }}h");
    return model;
  }
  std::string turn(const Args& flags) const {
    return model.run(Args{"--temp", "0", "--json", "--echo", "-n", "1", "-p", "hi"} + flags).json()["prompt"];
  }

  ModelFile model{table()};
  TempDir folder;
};

TEST_F(Compatibility, TemplatesGetTheirVariables) {
  EXPECT_EQ(turn({}), "Falseh");
  EXPECT_EQ(turn({"-rea", "on"}), "TrueTrueh");
  EXPECT_EQ(turn({"--reasoning", "off", "--reasoning-effort", "low"}), "TrueFalselowh");
  EXPECT_EQ(turn({"--reasoning-budget", "0"}), "TrueFalseh");
  EXPECT_EQ(turn({"--chat-template-kwargs", R"({"x": "[1]", "enable_thinking": true})", "-rea", "off"}),
            "TrueTrue[1]h");
  for (const char* bad : {"", "[1]", "{", "3"}) {
    const Outcome outcome = model.run({"-p", "hi", "--chat-template-kwargs", bad});
    EXPECT_EQ(outcome.status, 2) << bad;
    EXPECT_THAT(outcome.err, HasSubstr("--chat-template-kwargs")) << bad;
  }
}

TEST_F(Compatibility, RopeFlagsAreKeysOfTheArchitecture) {
  const auto err = [&](const Args& flags) { return model.greedy(Args{"-p", "h"} + flags).err; };
  EXPECT_THAT(err({"--rope-freq-base", "1e6"}), HasSubstr("'llama.rope.freq_base' is not in the file"));
  EXPECT_THAT(err({"--rope-scaling", "yarn", "--rope-scale", "4", "--yarn-orig-ctx", "1024"}),
              AllOf(HasSubstr("llama.rope.scaling.type"), HasSubstr("llama.rope.scaling.factor"),
                    HasSubstr("llama.rope.scaling.original_context_length")));
  EXPECT_THAT(err({"--rope-freq-base", "0", "--rope-scale", "0"}), Not(HasSubstr("rope")))
      << "the model's own";
  EXPECT_EQ(model.greedy({"-p", "h", "--rope-freq-scale", "0.5"}).out, "A");
  EXPECT_EQ(model.greedy({"-p", "h", "--rope-scaling", "cubic"}).status, 2);
}

TEST_F(Compatibility, SeveralKeysInOneOverride) {
  EXPECT_THAT(model.greedy({"-p", "h", "--override-kv", "llama.context_length=int:77,no.such=str:a,b"}).err,
              AllOf(HasSubstr("context: 77 "), HasSubstr("'no.such' is not in the file")));
  EXPECT_THAT(model.greedy({"-p", "h", "--override-kv", "{arch}.context_length=int:66"}).err,
              HasSubstr("context: 66 "));
  EXPECT_EQ(model.greedy({"-p", "h", "--override-kv", "llama.context_length=int:77,oops"}).status, 2);
}

TEST_F(Compatibility, PromptsFromBinaryFilesAreTakenAsTheyAre) {
  const std::string file = folder.write("prompt", "h\\n\n");
  const auto prompt = [&](const Args& flags) {
    return model.greedy(Args{"--json", "--echo", "-n", "0"} + flags).json()["prompt"];
  };
  EXPECT_EQ(prompt({"-f", file}), "h\\n");
  EXPECT_EQ(prompt({"-bf", file}), "h\\n\n");
  EXPECT_EQ(prompt({"--binary-file", file, "-p", "x"}), "x");
}

TEST_F(Compatibility, EchoInJson) {
  EXPECT_EQ(model.greedy({"-p", "xh", "--json", "--echo"}).json()["prompt"], "xh");
  EXPECT_EQ(model.greedy({"-p", "xh", "--json", "--display-prompt"}).json()["prompt"], "xh");
  EXPECT_FALSE(model.greedy({"-p", "xh", "--json"}).json().contains("prompt"));
}

TEST_F(Compatibility, VerbosePromptTellsTheIdsAlone) {
  const Outcome outcome = model.greedy({"-p", "xh", "--verbose-prompt"});
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("prompt: [120, 104]"), Not(HasSubstr("kernel: "))));
}

TEST_F(Compatibility, LoadModes) {
  const auto memory = [&](const Args& flags) { return model.greedy(Args{"-p", "h"} + flags).err; };
  EXPECT_THAT(memory({"-lm", "none"}), HasSubstr(" read, KV"));
  EXPECT_THAT(memory({"--load-mode", "dio"}), HasSubstr(" read, KV"));
  EXPECT_THAT(memory({"-lm", "mmap", "--no-mmap"}),
              AllOf(HasSubstr("note: -lm has no effect: --no-mmap after it"), HasSubstr(" read, KV")));
  EXPECT_THAT(memory({"--no-mmap", "-lm", "mmap"}), HasSubstr(" mapped, KV"));
  EXPECT_THAT(memory({"-lm", "auto", "--no-mmap"}), HasSubstr(" read, KV"));
  EXPECT_EQ(model.greedy({"-p", "h", "-lm", "mmap+mlock"}).out, "A");
}

TEST_F(Compatibility, MinusOneThreadIsAuto) {
  EXPECT_THAT(model.greedy({"-p", "h", "-t", "-1", "-tb", "-1"}).err,
              testing::ContainsRegex("threads: [0-9]+ \\(.*(CPU|core)"));
  EXPECT_EQ(model.greedy({"-p", "h", "-t", "-2"}).status, 2);
}

TEST_F(Compatibility, StacksThatNoThreadCanHaveLeaveOneThread) {
#ifdef ARMATURE_SANITIZED
  GTEST_SKIP() << "sanitizers make threads their own way";
#endif
  for (const char* size : {"99999999G", "4096T", "1000000000000"}) {
    Launch launch{.args = {"run", "-m", model.path(), "--raw", "--temp", "0", "-t", "2", "-p", "h"}};
    launch.environment = {{"OMP_STACKSIZE", size}};
    const Outcome outcome = run_program(launch);
    EXPECT_EQ(outcome.status, 0) << size << outcome.err;
    EXPECT_EQ(outcome.out, "A") << size;
  }
}

TEST_F(Compatibility, HelpOfLlamaCpp) {
  const Outcome table = run_program({"help", "llama.cpp"});
  EXPECT_EQ(table.status, 0);
  EXPECT_THAT(table.out, AllOf(HasSubstr("-ngl"), HasSubstr("accepted"), HasSubstr("refused")));
  EXPECT_EQ(run_program({"help", "llama.cpp", "--json"}).json()["counts"]["names"].get<int>() > 370, true);
  EXPECT_EQ(run_program({"help", "run"}).out, run_program({"run", "--help"}).out);
  EXPECT_EQ(run_program({"help"}).out, run_program({"--help"}).out);
  for (const Args& args : {Args{"help", "fly"}, Args{"help", "run", "chat"}, Args{"help", "run", "--json"}})
    EXPECT_EQ(run_program(args).status, 2);
}

}  // namespace
}  // namespace armature::test
