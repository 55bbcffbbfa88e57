// The line that tells how far a long prompt is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "tests/support/program.h"
#include "tests/support/table_model.h"
#include "tests/tools/terminal.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kErase = "\r\x1b[K";

/// A prompt that takes longer than any test waits, and a model that takes it.
class ProgressLine : public testing::Test {
 protected:
  static constexpr std::size_t kTokens = 300000;

  std::vector<std::string> args() const {
    return {"run", "-m", model, "--raw", "-n", "1", "--isa", "scalar", "-t", "1", "-f", prompt};
  }

  TempDir folder;
  std::string model = folder.write("model.gguf", table_model(LogitTable(), -20.0f, 1u << 20));
  std::string prompt = folder.write("prompt", std::string(kTokens, 'x'));
};

TEST_F(ProgressLine, IsDrawnOnATerminalAndErased) {
  try {
    Terminal terminal({.args = args()});
    ASSERT_TRUE(terminal.expect("prompt: ")) << terminal.output();
    ASSERT_TRUE(terminal.expect(" of 300000 tokens"));
    terminal.type("\x03");
    EXPECT_EQ(terminal.wait(), 130);
    const std::string& output = terminal.output();
    const std::size_t last = output.rfind("tokens", output.rfind(kErase));
    ASSERT_NE(last, std::string::npos);
    EXPECT_THAT(output.substr(last), HasSubstr(std::string(kErase))) << "it is erased at the end";
  } catch (const std::runtime_error& error) {
    GTEST_SKIP() << error.what();
  }
}

TEST_F(ProgressLine, IsNotDrawnWhereItCannotBeErased) {
  try {
    Terminal terminal({.args = args(), .environment = {{"TERM", "dumb"}}});
    ASSERT_TRUE(terminal.expect("context: "));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    terminal.type("\x03");
    EXPECT_EQ(terminal.wait(), 130);
    EXPECT_THAT(terminal.output(), Not(HasSubstr("prompt: ")));
  } catch (const std::runtime_error& error) {
    GTEST_SKIP() << error.what();
  }
}

TEST_F(ProgressLine, IsNotWrittenToAFile) {
  Process process({.args = args()});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_THAT(outcome.err, HasSubstr("threads: "));
  EXPECT_THAT(outcome.err, Not(HasSubstr("prompt: ")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace armature::test
