// What is asked of `armature run` at its limits and beyond them. The names of the cases are those of the
// contract on malformed inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/support/table_model.h"
#include "tests/support/vocabularies.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A model that says "A" after "h".
class RunInputs : public testing::Test {
 protected:
  ModelFile model{table_model(path_table({104, 65, 276}))};
};

TEST_F(RunInputs, ValuesOutOfRangeAreWrongUsage) {  // RUN-09 to RUN-14
  const std::pair<const char*, std::vector<const char*>> cases[] = {
      {"-t", {"0", "-5", "1000000000", "abc", "4x"}},
      {"-n", {"-7", "100000000000"}},
      {"--temp", {"nan", "-1", "inf"}},
      {"--top-p", {"nan", "-1", "2"}},
      {"--top-k", {"-2147483648"}},
      {"--min-p", {"nan"}},
      {"--repeat-penalty", {"0", "nan"}},
      {"-c", {"-1"}},
      {"-b", {"0", "-1"}},
  };
  for (const auto& [flag, values] : cases) {
    for (const std::string value : values) {
      const Outcome outcome = model.greedy({"-p", "h", flag, value});
      EXPECT_EQ(outcome.status, 2) << flag << " " << value;
      EXPECT_EQ(outcome.out, "");
      EXPECT_THAT(outcome.err, AllOf(StartsWith(std::string("error: ") + flag + ": value '" + value + "'"),
                                     HasSubstr("allowed: ")));
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
  }
}

TEST_F(RunInputs, ValuesAtTheEdgeAreAccepted) {
  const Args cases[] = {{"--temp", "1e-40"},         // RUN-11: as greedy
                        {"--top-k", "1000000000"},   // RUN-12: the vocabulary
                        {"-c", "0"},                 // RUN-13: what the model and the memory allow
                        {"-c", "8", "-b", "4096"}};  // RUN-14: the context
  for (const Args& args : cases) {
    const Outcome outcome = model.run(Args{"--raw", "-s", "3", "--temp", "0", "-p", "h"} + args);
    EXPECT_EQ(outcome.status, 0) << args[0] << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "A") << args[0];
  }
  EXPECT_EQ(model.run({"--raw", "-p", "h", "-n", "4", "--temp", "1e30"}).status, 0);
  const Outcome none = model.greedy({"-p", "h", "-n", "0"});  // RUN-10: the prompt alone
  EXPECT_EQ(none.status, 0) << none.err;
  EXPECT_EQ(none.out, "");
}

TEST(RunInputsOfBytes, CharacterThatCannotBeSpelled) {  // RUN-06
  TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  vocabulary.tokens[0xC3] = "no byte";
  vocabulary.tokens[274] = "no pair";
  vocabulary.merges.pop_back();
  TinyModel model({.n_vocab = 280});
  model.set("tokenizer.ggml.model", "gpt2").set("tokenizer.ggml.pre", vocabulary.pre);
  model.set("tokenizer.ggml.tokens", vocabulary.tokens).set("tokenizer.ggml.token_type", vocabulary.types);
  model.set("tokenizer.ggml.merges", vocabulary.merges).erase_key("tokenizer.ggml.scores");
  model.erase_key("tokenizer.ggml.unknown_token_id");
  const Outcome outcome = ModelFile(model).greedy({"-p", "h\u00E9"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("error: "), HasSubstr("'\u00E9'")));
}

TEST(ModelPaths, AFifoIsNotOpened) {  // RUN-15
  const TempDir folder;
  const std::string fifo = folder.path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const Outcome outcome = run_program({"run", "-m", fifo, "-p", "h"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, StartsWith("error: " + fifo + ": only regular files"));
}

TEST(ModelPaths, AFileThatMayNotBeRead) {  // RUN-15
  const TempDir folder;
  const std::string path = folder.write("secret.gguf", TinyModel());
  std::filesystem::permissions(folder.path(""), std::filesystem::perms::all);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const Outcome outcome = run_program(Launch{.args = {"run", "-m", path, "-p", "h"}, .in_child = [] {
                                               constexpr uid_t kNobody = 65534;  // root may read every file
                                               if (::geteuid() == 0 && ::setuid(kNobody) != 0) ::_exit(126);
                                             }});
  if (outcome.status == 126) GTEST_SKIP() << "the program cannot be started as another user";
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "error: " + path + ": cannot open: Permission denied\n");
}

TEST_F(RunInputs, InterruptWhileLoading) {  // RUN-18
  const TempDir folder;
  LogitTable endless;
  endless[{66, 66}] = 5.0f;
  const std::string path = folder.write("large.gguf", table_model(endless, -20.0f, 1u << 20));
  std::filesystem::resize_file(path, 256u << 20);  // zeros, which are read too
  // The words are noted just before the model is loaded.
  Process process({.args = {"run", "-m", path, "--no-mmap", "--raw", "--temp", "0", "-p", "B", "words"}});
  while (process.err().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
}

}  // namespace
}  // namespace armature::test
