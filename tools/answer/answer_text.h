#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/tokenizer/utf8_stream.h"
#include "tools/answer/stop_strings.h"

namespace armature::tools {

/// The answer's text on its way from tokens to the reader: cut at stop strings, then made valid UTF-8 (each
/// ill-formed stretch becomes U+FFFD). Streamed and collected text are the same bytes.
class AnswerText {
 public:
  /// `streamed`: standard output gets the text as it comes.
  AnswerText(std::span<const std::string> stop_strings, bool streamed)
      : stop_(stop_strings), streamed_(streamed) {}

  /// The bytes of one more token. True: a stop string is complete, and no more must be pushed. Throws as
  /// write_stdout().
  bool push(std::string_view bytes);
  /// The end of the text: shows what was held back.
  void finish();

  const std::string& text() const { return text_; }

 private:
  void show(std::string_view bytes);

  StopStrings stop_;
  bool streamed_;
  bool stopped_ = false;
  Utf8Stream utf8_;
  std::string bytes_;  // scratch
  std::string text_;
};

}  // namespace armature::tools
