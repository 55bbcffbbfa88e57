#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/tools/screen.h"

namespace armature::test {

/// The program on a pseudo-terminal of its own, which all its streams lead to, as a person has it. It is
/// killed at the end of the scope.
class Terminal {
 public:
  struct Start {
    std::vector<std::string> args;
    std::vector<std::pair<std::string, std::string>> environment = {};
    std::size_t rows = 24, columns = 80;
    std::function<void()> in_child = {};  // called in the new process after its streams are set
  };
  /// Throws std::runtime_error where there are no pseudo-terminals.
  explicit Terminal(const Start& start);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Sends what keys send; reads the program's output meanwhile.
  void type(std::string_view bytes);
  void resize(std::size_t rows, std::size_t columns);
  void send(int signal);
  /// Whether the terminal hands lines to programs as they are entered and shows what is typed, as a shell's
  /// commands expect it.
  bool is_usual() const;
  /// Takes the terminal away, as when its window is closed.
  void hang_up();

  /// Reads until what was not yet expected contains `text`, and then takes that and all before it as seen.
  /// False if two minutes pass without, or the program ends.
  bool expect(std::string_view text);
  /// Reads until nothing has come for a moment.
  void settle();

  /// All that the program has written.
  const std::string& output() const { return output_; }
  /// What a person sees now.
  const Screen& screen() const { return screen_; }

  /// Waits for the end of the program; its exit status, or -1 after a signal or four minutes.
  int wait();

 private:
  bool read_some(std::chrono::milliseconds limit);

  int master_ = -1;
  pid_t id_ = -1;
  std::string output_;
  std::size_t seen_ = 0;
  Screen screen_;
};

}  // namespace armature::test
