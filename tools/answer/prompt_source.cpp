#include "tools/answer/prompt_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/signals.h"

namespace armature::tools {
namespace {

[[noreturn]] void throw_io(const std::string& name, std::string_view problem) {
  throw Error(ErrorCode::io, {name, {}, {}}, problem);
}
[[noreturn]] void throw_errno(const std::string& name) { throw_io(name, std::strerror(errno)); }

/// For a descriptor that others have set to O_NONBLOCK: until there is something to read, or a signal.
void wait_for_input(int descriptor) {
  pollfd waiting = {descriptor, POLLIN, 0};
  ::poll(&waiting, 1, -1);
}

/// Reads to the end, or to an interrupt.
std::string read_all(int descriptor, const std::string& name) {
  std::string text;
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  while (!interrupted()) {
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    const ssize_t n = ::read(descriptor, text.data() + size, kPiece);
    text.resize(size + (n > 0 ? static_cast<std::size_t>(n) : 0));
    if (n == 0) break;
    if (n < 0 && errno == EAGAIN) {
      wait_for_input(descriptor);
    } else if (n < 0 && errno != EINTR) {
      throw_errno(name);
    }
    if (text.size() > kMaxPromptBytes) throw_io(name, compose("more than {} bytes", kMaxPromptBytes));
  }
  return text;
}

bool is_file_or_pipe(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

std::string without_last_newline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string join(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
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

std::string read_text_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, name_of_input(path));
  // A FIFO without a writer is waited for: its text is what the user asked for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 && interrupted()) return {};
  if (file.get() < 0) throw_errno(path);
  if (!is_file_or_pipe(file.get())) throw_io(path, "neither a file nor a pipe");
  return read_all(file.get(), path);
}

std::string name_of_input(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_prompt(const Arguments& args) {
  if (args.is_given(Option::Prompt)) return command_line_text(args, args.text(Option::Prompt));
  if (args.is_given(Option::File))
    return without_last_newline(read_text_file(std::string(args.text(Option::File))));
  if (!args.words().empty()) return command_line_text(args, join(args.words()));
  if (::isatty(STDIN_FILENO) != 0) {
    throw UsageError(
        "no prompt; give one with -p TEXT, with -f FILE, as words after the flags, or through a pipe");
  }
  return without_last_newline(read_text_file("-"));
}

}  // namespace armature::tools
