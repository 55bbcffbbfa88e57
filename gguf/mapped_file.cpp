#include "gguf/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature::gguf {
namespace {

std::string errno_text(int number) { return std::generic_category().message(number); }

Error io_error(const std::string& path, std::string_view doing, int number) {
  return Error(ErrorCode::io, {path, std::nullopt, {}}, compose("{}: {}", doing, errno_text(number)));
}

/// A file descriptor, closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

void require_regular(const std::string& path, const struct stat& status) {
  if (S_ISREG(status.st_mode)) return;
  const int number = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  throw io_error(path, "only regular files can be read", number);
}

struct stat status_of(const std::string& path) {
  struct stat status {};
  if (path.find('\0') != std::string::npos) throw io_error(path, "a path cannot hold a NUL byte", EINVAL);
  if (::stat(path.c_str(), &status) != 0) throw io_error(path, "cannot open", errno);
  return status;
}

std::int64_t modified_ns(const struct stat& status) {
#ifdef __APPLE__
  const timespec& modified = status.st_mtimespec;
#else
  const timespec& modified = status.st_mtim;
#endif
  return std::int64_t{modified.tv_sec} * 1'000'000'000 + modified.tv_nsec;
}

void* map(const std::string& path, std::size_t size, int fd) {
  const bool is_file = fd >= 0;
  void* at = ::mmap(nullptr, size, is_file ? PROT_READ : PROT_READ | PROT_WRITE,
                    is_file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
  if (at != MAP_FAILED) return at;
  if (errno == ENOMEM)
    throw Error(ErrorCode::out_of_memory, {path, std::nullopt, {}},
                compose("no room for {} bytes: {}", size, errno_text(errno)));
  throw io_error(path, compose("cannot map {} bytes", size), errno);
}

void read_all(const std::string& path, int fd, std::byte* out, std::size_t size) {
  constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::pread(fd, out + done, std::min(size - done, kMostAtOnce), static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) {
      done += static_cast<std::size_t>(n);
      continue;
    }
    const std::string problem = n == 0
                                    ? compose("the file ends here; it had {} bytes when it was opened", size)
                                    : "cannot read: " + errno_text(errno);
    throw Error(ErrorCode::io, {path, done, {}}, problem);
  }
}

}  // namespace

MappedFile MappedFile::open(const std::string& path, Access access) {
  require_regular(path, status_of(path));  // before opening, which may wait or act on a device
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) throw io_error(path, "cannot open", errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw io_error(path, "cannot open", errno);
  require_regular(path, status);

  MappedFile out;
  out.path_ = path;
  out.access_ = access;
  out.device_ = static_cast<std::uint64_t>(status.st_dev);
  out.inode_ = status.st_ino;
  out.modified_ns_ = modified_ns(status);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return out;
  out.data_ = static_cast<std::byte*>(map(path, size, access == Access::Map ? file.get() : -1));
  out.size_ = size;
  if (access == Access::Read) read_all(path, file.get(), out.data_, size);
  return out;
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  release();
  path_ = std::move(other.path_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  access_ = other.access_;
  device_ = other.device_;
  inode_ = other.inode_;
  modified_ns_ = other.modified_ns_;
  return *this;
}

MappedFile::~MappedFile() { release(); }

void MappedFile::release() noexcept {
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

void MappedFile::check_unchanged() const {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0) return;  // deleted or moved away: the bytes that are mapped stay
  const auto changed = [this](std::string_view what) {
    return Error(ErrorCode::file_changed, {path_, std::nullopt, {}},
                 compose("the file was {} while it was in use", what));
  };
  if (static_cast<std::uint64_t>(now.st_dev) != device_ || now.st_ino != inode_) throw changed("replaced");
  if (static_cast<std::size_t>(now.st_size) != size_) throw changed("changed in size");
  if (modified_ns(now) != modified_ns_) throw changed("written to");
}

void MappedFile::will_need() const {
  if (data_ != nullptr) ::madvise(data_, size_, MADV_WILLNEED);
}

std::string MappedFile::lock() const {
  if (data_ == nullptr || ::mlock(data_, size_) == 0) return {};
  const int number = errno;
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return compose("{}: {} bytes are not locked in memory: {}; the limit is {}", quote(path_), size_,
                 errno_text(number), is_limited ? compose("{} bytes", limit.rlim_cur) : "none");
}

}  // namespace armature::gguf
