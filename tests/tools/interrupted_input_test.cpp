// An interrupt while a command waits for what it reads: status 130 and no message.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/table_model.h"
#include "tests/tools/model_file.h"

namespace armature::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A pipe for the program to read from; the end for writing stays open.
class OpenPipe {
 public:
  OpenPipe() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  ~OpenPipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  void attach(Launch& launch) const {
    launch.in_child = [end = ends_[0]] { ::dup2(end, STDIN_FILENO); };
  }
  void write(std::string_view text) const {
    EXPECT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// Until all has been read, but half a minute at the most.
  bool wait_until_read() const {
    for (int i = 0; i < 30000; ++i) {
      int n = 0;
      if (::ioctl(ends_[0], FIONREAD, &n) == 0 && n == 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

 private:
  int ends_[2] = {-1, -1};
};

TEST(InterruptedInput, EndsEachCommandWithoutAMessage) {
  if (program_is_emulated()) GTEST_SKIP() << "tested natively";
  const ModelFile model(table_model(path_table({104, 65, 276})));
  const TempDir folder;
  const std::string messages = folder.write("messages.json", "[]"), text = folder.write("template", "x");
  const std::string m = model.path();
  const Args cases[] = {{"template", "--template", text, "--messages", "-"},
                        {"template", "--template", "-"},
                        {"template", "--template", "-", "--messages", messages},
                        {"run", "-m", m, "-p", "h", "--chat-template-file", "/dev/stdin"},
                        {"chat", "-m", m, "-p", "h", "--chat-template-file", "/dev/stdin"},
                        {"chat", "-m", m, "-sysf", "-"},
                        {"tokenize", "-m", m, "--stdin"},
                        {"tokenize", "-m", m, "--jsonl", "--decode", "-f", "-"},
                        {"logits", "-m", m, "--ids-file", "/dev/stdin", "-o", folder.path("out")}};
  for (const Args& args : cases) {
    Launch launch{.args = args};
    const OpenPipe pipe;
    pipe.attach(launch);
    pipe.write("[");
    Process process(launch);
    ASSERT_TRUE(pipe.wait_until_read()) << testing::PrintToString(args);
    process.send(SIGINT);
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.status, 130) << testing::PrintToString(args) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("error"))) << testing::PrintToString(args);
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace armature::test
