#include "tools/cli/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gguf/error.h"
#include "tools/cli/signals.h"

namespace armature::tools {
namespace {

[[noreturn]] void throw_io(const std::string& name, std::string_view problem) {
  throw Error(ErrorCode::io, {name, {}, {}}, problem);
}

bool is_file_or_pipe(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode));
}

/// For a descriptor that others have set to O_NONBLOCK: until there is something to read, or a signal.
void wait_for_input(int descriptor) {
  pollfd waiting = {descriptor, POLLIN, 0};
  ::poll(&waiting, 1, -1);
}

}  // namespace

std::string name_of_input(const std::string& path) { return path == "-" ? "standard input" : path; }

InputFile::InputFile(const std::string& path)
    : name_(name_of_input(path)),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0 && interrupted()) throw Interrupted();
  if (descriptor_ < 0) throw_io(name_, std::strerror(errno));
  if (descriptor_ == STDIN_FILENO || is_file_or_pipe(descriptor_)) return;
  ::close(descriptor_);
  throw_io(name_, "neither a file nor a pipe");
}

InputFile::~InputFile() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t InputFile::read(char* out, std::size_t n) {
  while (!interrupted()) {
    const ssize_t n_read = ::read(descriptor_, out, n);
    if (n_read >= 0) return static_cast<std::size_t>(n_read);
    if (errno == EAGAIN) {
      wait_for_input(descriptor_);
    } else if (errno != EINTR) {
      throw_io(name_, std::strerror(errno));
    }
  }
  throw Interrupted();
}

}  // namespace armature::tools
