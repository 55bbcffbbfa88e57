#include "tools/cli/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::tools {
namespace {

[[noreturn]] void throw_stdout_error() {
  throw Error(ErrorCode::io, compose("standard output: {}", std::strerror(errno)));
}

/// What standard output has last got is not the end of a line.
std::atomic<bool> line_is_unfinished = false;
static_assert(std::atomic<bool>::is_always_lock_free);

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1; }

}  // namespace

void check_standard_streams() {
  // open() takes the lowest free number, so these come out as 0 and 2 in turn.
  const bool stdout_is_open = is_open(STDOUT_FILENO);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Reading a standard input that was closed must fail, not find nothing.
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDWR;
    if (!is_open(descriptor)) static_cast<void>(::open("/dev/null", mode));
  }
  if (!stdout_is_open) {
    errno = EBADF;
    throw_stdout_error();
  }
}

void write_stdout(std::string_view text) {
  if (!text.empty()) line_is_unfinished = text.back() != '\n';
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EPIPE) {
      throw ReaderLeft();
    } else if (errno == EAGAIN) {
      pollfd waiting = {STDOUT_FILENO, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      throw_stdout_error();
    }
  }
}

void write_results_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno != EINTR)
      throw Error(ErrorCode::io, compose("standard error: {}", std::strerror(errno)));
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
}

void write_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno != EINTR) return;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
}

void write_stderr_line(std::string_view label, std::string_view text) noexcept {
  const auto part = [](std::string_view s) { return iovec{const_cast<char*>(s.data()), s.size()}; };
  const bool shown = line_is_unfinished && ::isatty(STDOUT_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
  if (shown) line_is_unfinished = false;
  const std::array<iovec, 4> parts = {part(shown ? "\n" : ""), part(label), part(text), part("\n")};
  static_cast<void>(::writev(STDERR_FILENO, parts.data(), static_cast<int>(parts.size())));
}

}  // namespace armature::tools
