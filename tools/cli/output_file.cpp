#include "tools/cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"
#include "tools/cli/protected_files.h"
#include "tools/cli/signals.h"

namespace armature::tools {
namespace {

constexpr const char* kOwnDescriptors =
    "/proc/self/fd";  // links to them, by which a nameless file gets a name

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
  if (path_.empty()) throw Error(ErrorCode::io, "an empty name for the output; a file or - is needed");
  target_ = resolved(path_);
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (const std::string_view why = exists ? protection(status) : ""; !why.empty())
    throw Error(ErrorCode::io, {path_, {}, {}}, compose("this is {}; another file is needed", why));
  if (!exists && errno != ENOENT) fail("cannot make it");  // before much is computed
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0 && errno == EINTR && interrupted()) throw Interrupted();
    if (descriptor_ < 0) fail("cannot open");
    return;
  }
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("cannot open");
  open_temporary();
  if (exists) static_cast<void>(::fchmod(descriptor_, status.st_mode & 0777));
}

void OutputFile::open_temporary() {
#ifdef O_TMPFILE
  if (::access(kOwnDescriptors, X_OK) == 0) {
    const std::string folder = std::filesystem::path(target_).parent_path().string();
    descriptor_ = ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    nameless_ = descriptor_ >= 0;
  }
#endif
  if (nameless_) return;
  std::string name = target_ + ".XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot make it");
  temporary_ = std::move(name);
  static_cast<void>(::fchmod(descriptor_, usual_mode()));
}

/// Gives the nameless file a name that is free.
void OutputFile::link_temporary() {
  const std::string self = compose("{}/{}", kOwnDescriptors, descriptor_);
  for (int i = 0; i < 100; ++i) {
    std::string name = compose("{}.{}-{}", target_, ::getpid(), i);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      nameless_ = false;
      temporary_ = std::move(name);
      return;
    }
    if (errno != EEXIST) break;
  }
  fail("cannot make it");
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
    if (n < 0 && errno == EINTR && interrupted()) throw Interrupted();
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot write");
    written_ += static_cast<std::uint64_t>(n);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

void OutputFile::commit() {
  if (descriptor_ < 0) return;
  if (nameless_) link_temporary();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot make it");
  temporary_.clear();
}

void OutputFile::fail(const char* doing) const {
  const int reason = errno;
  const std::string done = written_ > 0 ? compose(" (after {} bytes)", written_) : "";
  throw Error(ErrorCode::io, {path_, {}, {}}, compose("{}{}: {}", doing, done, std::strerror(reason)));
}

}  // namespace armature::tools
