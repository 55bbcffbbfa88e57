#pragma once

#include <termios.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <string_view>

namespace armature::tools {

struct TerminalSize {
  std::size_t rows, columns;  // at least 1; 24 and 80 where the system does not know
};
TerminalSize terminal_size(int descriptor);

/// Writes all of it, or as much as the terminal takes: there is nowhere to tell a fault.
void write_terminal(int descriptor, std::string_view text) noexcept;

/// While it lives, keys come from the terminal one by one and unseen (Ctrl-C and Ctrl-Z too), pasted text is
/// bracketed by ESC [200~ and ESC [201~, and a change of its size ends a wait for keys. A signal that ends
/// the process leaves the terminal as it was before. Process-wide: one at a time.
class RawTerminal {
 public:
  /// Descriptors of one terminal, to read from and to write to.
  RawTerminal(int input, int output);
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  ~RawTerminal() { leave(); }

  /// Stops the process as Ctrl-Z does elsewhere; returns when it goes on.
  void suspend();

 private:
  static constexpr std::array kFatal = {SIGHUP, SIGQUIT, SIGTERM};
  static void restore_and_die(int signal);
  void enter();
  void leave();
  void restore() const noexcept;

  int input_, output_;
  termios before_ = {};
  std::array<struct sigaction, kFatal.size()> fatal_before_ = {};
  struct sigaction resize_before_ = {};
};

}  // namespace armature::tools
