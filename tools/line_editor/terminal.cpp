#include "tools/line_editor/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace armature::tools {

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
  termios raw = before_;
  raw.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | IGNCR | INLCR | ISTRIP | IXON);
  raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(input_, TCSADRAIN, &raw);  // what was typed ahead stays
  struct sigaction action = {};
  ::sigemptyset(&action.sa_mask);
  action.sa_handler = [](int) {};  // without SA_RESTART: poll() ends with EINTR
  ::sigaction(SIGWINCH, &action, &resize_before_);
  write_terminal(output_, "\x1b[?2004h");
}

void RawTerminal::leave() {
  write_terminal(output_, "\x1b[?2004l");
  ::sigaction(SIGWINCH, &resize_before_, nullptr);
  ::tcsetattr(input_, TCSADRAIN, &before_);
}

void RawTerminal::suspend() {
  leave();
  ::raise(SIGTSTP);
  enter();
}

}  // namespace armature::tools
