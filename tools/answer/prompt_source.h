#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/flags.h"
#include "tools/cli/input_file.h"

namespace armature::tools {

/// `\n`, `\t`, `\r`, `\"`, `\'`, `\\` and `\xNN` (two hexadecimal digits) replaced by what they mean; any
/// other backslash stays.
std::string process_escapes(std::string_view text);
/// A text of the command line: escapes processed, unless --no-escape says otherwise.
std::string command_line_text(const Arguments& args, std::string_view text);

/// The words after the flags with a space between.
std::string joined_words(const Arguments& args);

/// Most bytes of a prompt: 4 for each of the 2^24 positions that a context may have.
inline constexpr std::size_t kMaxPromptBytes = std::size_t{64} << 20;

/// All of a regular file, or of a pipe up to its end; "-" stands for standard input. Throws as
/// InputFile, and Error io for more than kMaxPromptBytes.
std::string read_text_file(const std::string& path);
/// The same of a file that this run must not replace.
std::string read_input_file(const std::string& path);

/// The system message: -sys, else -sysf without one newline at its end. Throws as
/// read_text_file().
std::optional<std::string> system_message(const Arguments& args);

/// The stop strings of -r.
std::vector<std::string> stop_strings(const Arguments& args);

/// True if a prompt stands on the command line.
bool has_prompt(const Arguments& args);

/// The prompt: -p, else -f, else -bf, else the words, else standard input where that is a pipe or a file,
/// else empty. The files of -f and standard input lose one newline at their end. Throws UsageError when
/// standard input is a terminal; and as read_text_file().
std::string read_prompt(const Arguments& args);

}  // namespace armature::tools
