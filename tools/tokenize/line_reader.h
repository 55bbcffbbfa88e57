#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tools/cli/input_file.h"

namespace armature::tools {

/// The lines of a file, a pipe or standard input, each as soon as it has come in.
class LineReader {
 public:
  /// Bytes of a line that are kept.
  static constexpr std::size_t kMaxLineBytes = std::size_t{64} << 20;

  /// "-" stands for standard input. Throws as InputFile.
  explicit LineReader(const std::string& path) : file_(path) {}

  struct Line {
    std::string_view text;  // without the newline; valid until the next call
    bool too_long;          // then the text is only the first kMaxLineBytes
  };
  /// Nothing at the end. The last line need not end with a newline. Throws as InputFile::read().
  std::optional<Line> next();

 private:
  /// True if there are bytes to be taken.
  bool fill();

  InputFile file_;
  std::string buffer_;
  std::string_view left_;  // of the buffer
  std::string line_;
};

}  // namespace armature::tools
