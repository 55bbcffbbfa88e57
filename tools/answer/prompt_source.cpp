#include "tools/answer/prompt_source.h"

#include <unistd.h>

#include <charconv>
#include <optional>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/protected_files.h"

namespace armature::tools {
namespace {

std::string without_last_newline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// The byte that `\` and these characters stand for, and how many characters that takes.
struct Escape {
  char byte;
  std::size_t length;
};
std::optional<Escape> read_escape(std::string_view after_backslash) {
  if (after_backslash.empty()) return std::nullopt;
  switch (after_backslash[0]) {
    case 'n':
      return Escape{'\n', 1};
    case 't':
      return Escape{'\t', 1};
    case 'r':
      return Escape{'\r', 1};
    case '"':
    case '\'':
    case '\\':
      return Escape{after_backslash[0], 1};
    case 'x':
      break;
    default:
      return std::nullopt;
  }
  const std::string_view digits = after_backslash.substr(1, 2);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + 2) return std::nullopt;
  return Escape{static_cast<char>(value), 3};
}

}  // namespace

std::string process_escapes(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto escape = text[0] == '\\' ? read_escape(text.substr(1)) : std::nullopt;
    out += escape ? escape->byte : text[0];
    text.remove_prefix(escape ? 1 + escape->length : 1);
  }
  return out;
}

std::string command_line_text(const Arguments& args, std::string_view text) {
  return args.is_on(Option::Escape) ? process_escapes(text) : std::string(text);
}

std::string joined_words(const Arguments& args) {
  std::string text;
  for (const std::string& word : args.words()) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::string read_input_file(const std::string& path) {
  std::string text = read_text_file(path);
  protect_file(path, "the text that is read");
  return text;
}

std::string read_text_file(const std::string& path) {
  InputFile file(path);
  std::string text;
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    const std::size_t n = file.read(text.data() + size, kPiece);
    text.resize(size + n);
    if (n == 0) return text;
    if (text.size() > kMaxPromptBytes)
      throw Error(ErrorCode::io, {file.name(), {}, {}}, compose("more than {} bytes", kMaxPromptBytes));
  }
}

std::optional<std::string> system_message(const Arguments& args) {
  if (args.is_given(Option::System)) return command_line_text(args, args.text(Option::System));
  if (!args.is_given(Option::SystemFile)) return std::nullopt;
  return without_last_newline(read_input_file(std::string(args.text(Option::SystemFile))));
}

std::vector<std::string> stop_strings(const Arguments& args) {
  std::vector<std::string> strings;
  for (const std::string& text : args.all(Option::Stop)) strings.push_back(command_line_text(args, text));
  return strings;
}

bool has_prompt(const Arguments& args) {
  return args.is_given(Option::Prompt) || args.is_given(Option::File) || args.is_given(Option::BinaryFile) ||
         !args.words().empty();
}

std::string read_prompt(const Arguments& args) {
  if (args.is_given(Option::Prompt)) return command_line_text(args, args.text(Option::Prompt));
  if (args.is_given(Option::File))
    return without_last_newline(read_input_file(std::string(args.text(Option::File))));
  if (args.is_given(Option::BinaryFile)) return read_input_file(std::string(args.text(Option::BinaryFile)));
  if (!args.words().empty()) return command_line_text(args, joined_words(args));
  if (::isatty(STDIN_FILENO) != 0) {
    throw UsageError(
        "no prompt; give one with -p TEXT, with -f FILE, as words after the flags, or through a pipe");
  }
  return without_last_newline(read_text_file("-"));
}

}  // namespace armature::tools
