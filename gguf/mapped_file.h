#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace armature::gguf {

/// How the bytes of a file are held.
enum class Access {
  Map,  // mapped read-only and shared: nothing is copied. The file must not change while mapped (SIGBUS if it
        // shrinks)
  Read,  // read into anonymous memory: safe from later changes of the file, costs its size in memory
};

/// The bytes of one regular file. Movable; the bytes stay where they are until destruction.
class MappedFile {
 public:
  /// Opens a regular file; anything else (directory, FIFO, device) is Error io with errno text, at once. Also
  /// io: a read that fails or ends early; out_of_memory: no room to map or read.
  static MappedFile open(const std::string& path, Access access);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  const std::string& path() const { return path_; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  bool is_mapped() const { return access_ == Access::Map; }

  /// Compares size, modification time and inode of the path with those at open; Error file_changed if they
  /// differ. A path that is gone is no change: what is mapped stays.
  void check_unchanged() const;
  /// Asks the system to read the whole file ahead (advice only).
  void will_need() const;
  /// Locks the bytes in memory. Returns an empty string, or why not (with the limit), for the caller to show.
  std::string lock() const;

 private:
  MappedFile() = default;
  void release() noexcept;

  std::string path_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  Access access_ = Access::Read;
  std::uint64_t device_ = 0, inode_ = 0;
  std::int64_t modified_ns_ = 0;
};

}  // namespace armature::gguf
