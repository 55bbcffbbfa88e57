#include "tools/cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"

namespace armature::tools {
namespace {

/// What a path of symbolic links leads to, so that a file is replaced where it lies.
std::string resolved(const std::string& path) {
  std::error_code fault;
  const auto target = std::filesystem::weakly_canonical(path, fault);
  return fault ? path : target.string();
}

/// The rights of a file that open() would have made.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") return;
  target_ = resolved(path_);
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open");
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("cannot open");
  std::string name = target_ + ".XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot make it");
  temporary_ = std::move(name);
  static_cast<void>(::fchmod(descriptor_, exists ? status.st_mode & 0777 : usual_mode()));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (descriptor_ < 0) return write_stdout({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EPIPE) throw ReaderLeft();
    if (n < 0 && errno != EINTR) fail("cannot write");
    bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
}

void OutputFile::commit() {
  if (descriptor_ < 0) return;
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot make it");
  temporary_.clear();
}

void OutputFile::fail(const char* doing) const {
  throw Error(ErrorCode::io, {path_, {}, {}}, compose("{}: {}", doing, std::strerror(errno)));
}

}  // namespace armature::tools
