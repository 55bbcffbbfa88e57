#include "tools/line_editor/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace armature::tools {
namespace {

/// The one that lives, for signal handlers.
std::atomic<const RawTerminal*> raw_terminal = nullptr;
static_assert(std::atomic<const RawTerminal*>::is_always_lock_free);

}  // namespace

TerminalSize terminal_size(int descriptor) {
  winsize size = {};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {24, 80};
  return {size.ws_row, size.ws_col};
}

void write_terminal(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN) {
      pollfd waiting = {descriptor, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

RawTerminal::RawTerminal(int input, int output) : input_(input), output_(output) { enter(); }

void RawTerminal::enter() {
  ::tcgetattr(input_, &before_);
  raw_terminal = this;
  struct sigaction action = {};
  ::sigemptyset(&action.sa_mask);
  action.sa_handler = restore_and_die;
  for (std::size_t i = 0; i < kFatal.size(); ++i) {
    ::sigaction(kFatal[i], nullptr, &fatal_before_[i]);
    if (fatal_before_[i].sa_handler == SIG_DFL) ::sigaction(kFatal[i], &action, nullptr);
  }
  action.sa_handler = [](int) {};  // without SA_RESTART: poll() ends with EINTR
  ::sigaction(SIGWINCH, &action, &resize_before_);
  termios raw = before_;
  raw.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | IGNCR | INLCR | ISTRIP | IXON);
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(input_, TCSADRAIN, &raw);  // what was typed ahead stays
  write_terminal(output_, "\x1b[?2004h");
}

void RawTerminal::restore() const noexcept {
  write_terminal(output_, "\x1b[?2004l");
  ::tcsetattr(input_, TCSADRAIN, &before_);
}

void RawTerminal::restore_and_die(int signal) {
  if (const RawTerminal* raw = raw_terminal) raw->restore();
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // taken when this handler returns
}

void RawTerminal::leave() {
  restore();
  ::sigaction(SIGWINCH, &resize_before_, nullptr);
  for (std::size_t i = 0; i < kFatal.size(); ++i) ::sigaction(kFatal[i], &fatal_before_[i], nullptr);
  raw_terminal = nullptr;
}

void RawTerminal::suspend() {
  leave();
  ::raise(SIGTSTP);
  enter();
}

}  // namespace armature::tools
