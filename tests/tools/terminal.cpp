#include "tests/tools/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "tests/support/program.h"

namespace armature::test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kPatience = 120s;  // emulated and checked builds are slow

winsize size_of(std::size_t rows, std::size_t columns) {
  winsize size = {};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  return size;
}

/// In the new process: makes the terminal its own, and all its streams.
void take_terminal(const char* name) {
  ::setsid();
  const int terminal = ::open(name, O_RDWR);
  if (terminal < 0 || ::ioctl(terminal, TIOCSCTTY, 0) != 0) ::_exit(125);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(terminal, stream);
  if (terminal > STDERR_FILENO) ::close(terminal);
}

}  // namespace

Terminal::Terminal(const Start& start) : screen_(start.rows, start.columns) {
  master_ = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0)
    throw std::runtime_error("no pseudo-terminals here");
  const winsize size = size_of(start.rows, start.columns);
  ::ioctl(master_, TIOCSWINSZ, &size);
  const std::string name = ::ptsname(master_);
  std::vector<std::string> words = command_line(start.args);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  id_ = ::fork();
  if (id_ != 0) return;
  take_terminal(name.c_str());
  ::setenv("TERM", "xterm-256color", 1);
  ::unsetenv("NO_COLOR");
  for (const auto& [variable, value] : start.environment) ::setenv(variable.c_str(), value.c_str(), 1);
  if (start.in_child) start.in_child();
  ::execvp(argv[0], argv.data());
  ::_exit(126);
}

Terminal::~Terminal() {
  if (id_ > 0) {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }
  if (master_ >= 0) ::close(master_);
}

bool Terminal::read_some(std::chrono::milliseconds limit) {
  pollfd waiting = {master_, POLLIN, 0};  // without a terminal a pause
  if (::poll(&waiting, 1, static_cast<int>(limit.count())) <= 0) return false;
  std::array<char, 4096> bytes;
  const ssize_t n = ::read(master_, bytes.data(), bytes.size());
  if (n <= 0) return false;
  const std::string_view piece(bytes.data(), static_cast<std::size_t>(n));
  output_ += piece;
  screen_.write(piece);
  return true;
}

void Terminal::type(std::string_view bytes) {
  while (!bytes.empty()) {
    pollfd waiting = {master_, POLLIN | POLLOUT, 0};
    ::poll(&waiting, 1, -1);
    if ((waiting.revents & POLLIN) != 0) read_some(0ms);
    if ((waiting.revents & POLLOUT) == 0) continue;
    // The terminal may have room for less than all.
    const ssize_t n = ::write(master_, bytes.data(), std::min<std::size_t>(bytes.size(), 256));
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Terminal::resize(std::size_t rows, std::size_t columns) {
  settle();
  screen_.resize(rows, columns);
  const winsize size = size_of(rows, columns);
  ::ioctl(master_, TIOCSWINSZ, &size);  // sends SIGWINCH
}

void Terminal::send(int signal) { ::kill(id_, signal); }

bool Terminal::is_usual() const {
  termios now = {};
  return ::tcgetattr(master_, &now) == 0 && (now.c_lflag & ICANON) != 0 && (now.c_lflag & ECHO) != 0;
}

void Terminal::hang_up() {
  ::close(master_);
  master_ = -1;
}

bool Terminal::expect(std::string_view text) {
  const auto end = Clock::now() + kPatience;
  while (Clock::now() < end) {
    const std::size_t found = output_.find(text, seen_);
    if (found != output_.npos) {
      seen_ = found + text.size();
      return true;
    }
    if (!read_some(100ms) && ::waitpid(id_, nullptr, WNOHANG | WNOWAIT) > 0) return false;
  }
  return false;
}

void Terminal::settle() {
  while (read_some(200ms)) {
  }
}

int Terminal::wait() {
  const auto end = Clock::now() + 2 * kPatience;
  int status = 0;
  while (::waitpid(id_, &status, WNOHANG) == 0) {
    if (Clock::now() > end) ::kill(id_, SIGKILL);
    read_some(10ms);
  }
  id_ = -1;
  while (read_some(0ms)) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace armature::test
