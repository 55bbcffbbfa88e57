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
    Interrupted,  // Ctrl-C or SIGINT; `text` is what was typed before it
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
