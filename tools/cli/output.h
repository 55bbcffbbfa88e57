#pragma once

#include <exception>
#include <string_view>

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

/// Results that were asked for on standard error. Throws Error io with errno text.
void write_results_to_stderr(std::string_view text);

/// Writes `text` to standard error as it is; else as write_stderr_line().
void write_stderr(std::string_view text) noexcept;
/// Writes "<label><text>\n" to standard error in one piece, on a line of its own where a terminal shows an
/// unfinished one of standard output. Never throws or allocates; signal handlers may call it. Faults are
/// ignored: there is nowhere left to tell them.
void write_stderr_line(std::string_view label, std::string_view text) noexcept;

}  // namespace armature::tools
