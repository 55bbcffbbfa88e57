#include "tools/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace armature::tools {
namespace {

/// Empty when it is not set.
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

bool is_terminal(int descriptor) { return ::isatty(descriptor) != 0; }

std::size_t terminal_width(int descriptor) {
  winsize size = {};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool can_redraw(int descriptor) { return is_terminal(descriptor) && variable("TERM") != "dumb"; }

bool colours_wanted(std::string_view choice, int descriptor) {
  return choice != "off" && variable("NO_COLOR").empty() && can_redraw(descriptor);
}

}  // namespace armature::tools
