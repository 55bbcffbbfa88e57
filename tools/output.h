#pragma once

#include <exception>
#include <span>
#include <string>
#include <string_view>

#include "engine/tokenizer/utf8_stream.h"
#include "tools/stop_strings.h"

namespace armature::tools {

/// The reader of standard output has left (EPIPE): the program ends with status 1 and says nothing.
class ReaderLeft : public std::exception {
 public:
  const char* what() const noexcept override { return "the reader of standard output has left"; }
};

/// Descriptors 0 and 2 that are closed become /dev/null, so that no file takes their numbers. Throws Error io
/// when standard output is closed.
void check_standard_streams();

/// Writes all of `text` to standard output at once. Throws ReaderLeft, or Error io with errno text.
void write_stdout(std::string_view text);

/// Writes "<label><text>\n" to standard error in one piece; never throws or allocates. Faults are ignored:
/// there is nowhere left to tell them.
void write_stderr_line(std::string_view label, std::string_view text) noexcept;

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
