#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace armature::tools {

/// A file being made. It appears under its name, with all that was written, when it is committed; until then
/// a file of that name stays as it was, and without commit() nothing of this one is left, not even when the
/// process is killed where the file system has files without a name (O_TMPFILE; else a named one may stay).
/// What is no regular file, such as a device or a pipe, is written as it comes; "-" is standard output.
class OutputFile {
 public:
  /// A pipe without a reader is waited for. Throws Error io, for files that are protected
  /// too (see protect_file()), and Interrupted.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Throws Error io, which says how much had been written, ReaderLeft as write_stdout(), and Interrupted
  /// where a full pipe is waited for.
  void write(std::span<const std::byte> bytes);
  /// Throws Error io.
  void commit();

 private:
  void open_temporary();
  void link_temporary();
  [[noreturn]] void fail(const char* doing) const;

  std::string path_;       // as the user gave it, for errors
  std::string target_;     // the file that it leads to
  std::string temporary_;  // in the folder of the target; empty without one
  bool nameless_ = false;  // the temporary file has no name yet
  int descriptor_ = -1;    // -1 for standard output
  std::uint64_t written_ = 0;
};

}  // namespace armature::tools
