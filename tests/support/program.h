#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temp_dir.h"

/// Runs the built program as users do.
namespace armature::test {

struct Launch {
  std::vector<std::string> args;  // after the program's name
  std::string input = {};         // standard input, a file
  std::vector<std::pair<std::string, std::string>> environment = {};
  std::string program = {};             // another one than the built program
  std::function<void()> in_child = {};  // called in the new process after its streams are set
};

struct Outcome {
  int status = -1;  // of the exit; -1 after a signal
  int signal = 0;
  std::string out, err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// A running program. It is killed after four minutes.
class Process {
 public:
  explicit Process(const Launch& launch);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  pid_t id() const { return id_; }
  /// What standard output and standard error hold so far.
  std::string out() const;
  std::string err() const;
  /// Waits until standard output is not empty; false if that takes half a minute.
  bool wait_for_output() const;
  Outcome wait();

 private:
  TempDir folder_;
  pid_t id_ = -1;
};

/// Whether the program runs by way of an emulator, where starting it takes seconds.
bool program_is_emulated();

/// What to execute for the program with these arguments: behind the emulator of a cross build.
std::vector<std::string> command_line(const std::vector<std::string>& args);

Outcome run_program(const Launch& launch);
Outcome run_program(std::vector<std::string> args);

}  // namespace armature::test
