#pragma once

#include <cstddef>
#include <string>

namespace armature::tools {

/// For messages: the path, or "standard input" for "-".
std::string name_of_input(const std::string& path);

/// A regular file, a pipe or standard input, read from front to back.
class InputFile {
 public:
  /// "-" stands for standard input. A pipe without a writer is waited for. Throws Error io: errno text,
  /// another kind of file; and Interrupted.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }
  /// Puts at most `n` bytes to `out` and returns how many: 0 at the end. Throws Error io, and Interrupted.
  std::size_t read(char* out, std::size_t n);

 private:
  std::string name_;
  int descriptor_;
};

}  // namespace armature::tools
