#include "tests/support/program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <thread>

namespace armature::test {
namespace {

using namespace std::chrono_literals;
constexpr auto kTimeLimit = 240s;  // emulated and checked builds are slow

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void redirect(const std::string& path, int flags, int descriptor) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(125);
  ::close(file);
}

}  // namespace

std::vector<std::string> command_line(const std::vector<std::string>& args) {
  std::vector<std::string> words;
  std::istringstream emulator(ARMATURE_EMULATOR);
  for (std::string word; emulator >> word;) words.push_back(word);
  words.emplace_back(ARMATURE_PROGRAM);
  words.insert(words.end(), args.begin(), args.end());
  return words;
}

Process::Process(const Launch& launch) {
  const std::string input = folder_.write("in", launch.input);
  std::vector<std::string> words = command_line(launch.args);
  if (!launch.program.empty()) words[words.size() - launch.args.size() - 1] = launch.program;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  id_ = ::fork();
  if (id_ != 0) return;
  redirect(input, O_RDONLY, STDIN_FILENO);
  redirect(folder_.path("out"), O_WRONLY | O_CREAT | O_APPEND, STDOUT_FILENO);
  redirect(folder_.path("err"), O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);
  for (const auto& [name, value] : launch.environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (launch.in_child) launch.in_child();
  ::execvp(argv[0], argv.data());
  ::_exit(126);
}

Process::~Process() {
  if (id_ <= 0) return;
  ::kill(id_, SIGKILL);
  ::waitpid(id_, nullptr, 0);
}

void Process::send(int signal) const { ::kill(id_, signal); }

std::string Process::out() const { return read_file(folder_.path("out")); }
std::string Process::err() const { return read_file(folder_.path("err")); }

bool Process::wait_for_output() const {
  const auto end = std::chrono::steady_clock::now() + kTimeLimit / 2;
  while (std::chrono::steady_clock::now() < end) {
    if (!out().empty()) return true;
    std::this_thread::sleep_for(2ms);
  }
  return false;
}

Outcome Process::wait() {
  const auto end = std::chrono::steady_clock::now() + kTimeLimit;
  int status = 0;
  while (::waitpid(id_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) send(SIGKILL);
    std::this_thread::sleep_for(1ms);
  }
  id_ = -1;
  Outcome outcome;
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.out = out();
  outcome.err = err();
  return outcome;
}

bool program_is_emulated() { return !std::string_view(ARMATURE_EMULATOR).empty(); }

Outcome run_program(const Launch& launch) { return Process(launch).wait(); }
Outcome run_program(std::vector<std::string> args) { return run_program(Launch{.args = std::move(args)}); }

}  // namespace armature::test
