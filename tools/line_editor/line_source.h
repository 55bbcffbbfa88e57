#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace armature::tools {

/// What came of asking for a line.
struct InputLine {
  enum class Kind : std::uint8_t {
    Text,         // a line, without the newline that ended it; pasted newlines are part of it
    End,          // there are no more
    Dropped,      // Ctrl-C while a line was typed, or may have been: it is lost
    Interrupted,  // Ctrl-C with nothing typed, or SIGINT
  };
  Kind kind;
  std::string text;
};

/// Where lines come from: a file, a pipe, or a person at a terminal.
class LineSource {
 public:
  virtual ~LineSource() = default;
  /// `prompt` is shown to a person only. Throws Error io.
  virtual InputLine next(std::string_view prompt) = 0;
};

}  // namespace armature::tools
