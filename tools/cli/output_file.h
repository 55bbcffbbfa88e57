#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace armature::tools {

/// A file being made. It appears under its name, with all that was written, when it is committed; until then
/// a file of that name stays as it was, and without commit() nothing of this one is left. What is no regular
/// file, such as a device or a pipe, is written as it comes; "-" is standard output.
class OutputFile {
 public:
  /// Throws Error io.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Throws Error io, and ReaderLeft as write_stdout().
  void write(std::span<const std::byte> bytes);
  /// Throws Error io.
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;

  std::string path_;       // as the user gave it, for errors
  std::string target_;     // the file that it leads to
  std::string temporary_;  // in the folder of the target; empty where bytes go straight to their place
  int descriptor_ = -1;    // -1 for standard output
};

}  // namespace armature::tools
