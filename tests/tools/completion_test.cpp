// Completion scripts in the shells that they are for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "tests/support/program.h"
#include "tests/support/temp_dir.h"
#include "tools/cli/completion.h"
#include "tools/cli/flags.h"

namespace armature::tools {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

struct ShellOutput {
  int status = -1;
  std::vector<std::string> lines;
};
ShellOutput run_shell(const std::string& command) {
  ShellOutput out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::string text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  out.status = ::pclose(pipe);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.lines.push_back(line);
  return out;
}

bool has_shell(const std::string& name) { return run_shell("command -v " + name).status == 0; }

class Completion : public testing::Test {
 protected:
  /// What bash offers for the last of the words.
  std::vector<std::string> in_bash(const std::vector<std::string>& words) const {
    std::string quoted;
    for (const std::string& word : words) quoted += " '" + word + "'";
    return run_shell("cd " + folder.path("") + " && bash -c '. ./bash; COMP_WORDS=(\"$@\"); " +
                     "COMP_CWORD=$(($# - 1)); _armature; printf \"%s\\n\" \"${COMPREPLY[@]}\"' bash" + quoted)
        .lines;
  }
  /// What fish offers for a line, without descriptions.
  std::vector<std::string> in_fish(const std::string& line) const {
    return run_shell("cd " + folder.path("") +
                     " && HOME=. fish --no-config -c 'source ./fish; complete -C \"" + line + "\"' | cut -f1")
        .lines;
  }

  test::TempDir folder;
  std::string bash = folder.write("bash", bash_completion());
  std::string zsh = folder.write("zsh", zsh_completion());
  std::string fish = folder.write("fish", fish_completion());
  std::string model = folder.write("some model.gguf", "");
};

TEST_F(Completion, ScriptsAreWellFormed) {
  for (const auto& [shell, script] :
       {std::pair{"bash", bash}, std::pair{"zsh", zsh}, std::pair{"fish", fish}}) {
    if (!has_shell(shell)) continue;
    const ShellOutput output = run_shell(std::string(shell) + " -n " + script);
    EXPECT_EQ(output.status, 0) << shell;
    EXPECT_TRUE(output.lines.empty()) << shell << ": " << output.lines.front();
  }
}

TEST_F(Completion, Bash) {
  if (!has_shell("bash")) GTEST_SKIP() << "no bash here";
  EXPECT_THAT(in_bash({"armature", "ru"}), ElementsAre("run"));
  EXPECT_THAT(in_bash({"armature", ""}), AllOf(Contains("run"), Contains("help"), Contains("--version")));
  EXPECT_THAT(in_bash({"armature", "run", "--mod"}), ElementsAre("--model"));
  EXPECT_THAT(in_bash({"armature", "run", "--lor"}), ElementsAre("")) << "refused flags are not offered";
  EXPECT_THAT(in_bash({"armature", "run", "-m", "some"}), ElementsAre("some model.gguf"));
  EXPECT_THAT(in_bash({"armature", "run", "--model", "=", "some"}), ElementsAre("some model.gguf"));
  EXPECT_THAT(in_bash({"armature", "run", "--cache-type-k", "=", ""}), ElementsAre("f16", "f32"));
  EXPECT_THAT(in_bash({"armature", "run", "-fa", "of"}), ElementsAre("off"));
  EXPECT_THAT(in_bash({"armature", "run", "-fa", "--mod"}), ElementsAre("--model"));
  EXPECT_THAT(in_bash({"armature", "run", "--temp", ""}), ElementsAre(""));
  EXPECT_THAT(in_bash({"armature", "help", "ll"}), ElementsAre("llama.cpp"));
  EXPECT_THAT(in_bash({"armature", "completion", ""}), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(Completion, Fish) {
  if (!has_shell("fish")) GTEST_SKIP() << "no fish here";
  EXPECT_THAT(in_fish("armature ru"), ElementsAre("run"));
  EXPECT_THAT(in_fish("armature run --mod"), ElementsAre("--model"));
  EXPECT_THAT(in_fish("armature run -ctk f"), UnorderedElementsAre("f16", "f32"));
  EXPECT_THAT(in_fish("armature run -m some"), Contains("some model.gguf"));
  EXPECT_THAT(in_fish("armature completion "), UnorderedElementsAre("bash", "zsh", "fish"));
}

TEST_F(Completion, Zsh) {
  if (!has_shell("zsh")) GTEST_SKIP() << "no zsh here";
  const ShellOutput output = run_shell("zsh -f -c 'autoload -U compinit && compinit -u -D && . " + zsh +
                                       " && echo $_comps[armature] $+functions[_armature]'");
  EXPECT_THAT(output.lines, ElementsAre("_armature 1"));
}

TEST_F(Completion, IsPrintedByTheProgram) {
  EXPECT_EQ(test::run_program({"completion", "bash"}).out, bash_completion());
  EXPECT_EQ(test::run_program({"completion", "zsh"}).out, zsh_completion());
  EXPECT_EQ(test::run_program({"completion", "fish"}).out, fish_completion());
  EXPECT_EQ(test::run_program({"run", "--completion-bash"}).out, bash_completion());
  for (const auto& args :
       {std::vector<std::string>{"completion"}, {"completion", "ksh"}, {"completion", "bash", "zsh"}})
    EXPECT_EQ(test::run_program(args).status, 2);
}

}  // namespace
}  // namespace armature::tools
