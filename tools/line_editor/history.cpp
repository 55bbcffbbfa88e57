#include "tools/line_editor/history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/output.h"

namespace armature::tools {
namespace {

std::string escaped(std::string_view entry) {
  std::string line;
  for (const char c : entry) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\\') {
      line += "\\\\";
    } else {
      line += c;
    }
  }
  return line + '\n';
}

std::string unescaped(std::string_view line) {
  std::string entry;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escape = line[i] == '\\' && i + 1 < line.size();
    if (escape) ++i;
    entry += escape && line[i] == 'n' ? '\n' : line[i];
  }
  return entry;
}

[[noreturn]] void throw_io(const std::string& path, std::string_view problem) {
  throw Error(ErrorCode::io, {path, {}, {}}, problem);
}

/// Opens a regular file for this user alone, its folders being there. Throws Error io.
int open_private(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR);
  struct stat status = {};
  if (file < 0 || ::fstat(file, &status) != 0) throw_io(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) {
    ::close(file);
    throw_io(path, "no regular file");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) static_cast<void>(::fchmod(file, S_IRUSR | S_IWUSR));
  return file;
}

/// Writes to a file in one piece, since chats may run side by side, and closes it. Throws Error io.
void write_and_close(int file, const std::string& path, const std::string& text) {
  const ssize_t n = ::write(file, text.data(), text.size());
  const int reason = n < 0 ? errno : ENOSPC;
  ::close(file);
  if (n != static_cast<ssize_t>(text.size())) throw_io(path, std::strerror(reason));
}

std::string read_whole(int file) {
  std::string text;
  std::array<char, 1 << 14> piece;
  for (ssize_t n; (n = ::read(file, piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  return text;
}

}  // namespace

History::History(const std::filesystem::path& base, const std::filesystem::path& name)
    : base_(base), name_(name), path_((base / name).string()) {
  try {
    read_file();
  } catch (const Error& error) {
    give_up(error);
  }
}

void History::read_file() {
  if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT) return;
  const int file = open_private(path_, O_RDONLY);
  std::istringstream lines(read_whole(file));
  ::close(file);
  std::size_t n_lines = 0;
  for (std::string line; std::getline(lines, line); ++n_lines) remember(unescaped(line));
  if (n_lines > 2 * kMaxEntries) cut_file();
}

void History::cut_file() {
  std::string text;
  for (const std::string& entry : entries_) text += escaped(entry);
  const std::string cut = path_ + ".new";
  write_and_close(open_private(cut, O_WRONLY | O_CREAT | O_TRUNC), cut, text);
  ::rename(cut.c_str(), path_.c_str());
}

void History::remember(std::string entry) {
  entries_.push_back(std::move(entry));
  if (entries_.size() > kMaxEntries) entries_.pop_front();
}

void History::add(std::string_view entry) {
  if (entry.empty() || (!entries_.empty() && entries_.back() == entry)) return;
  remember(std::string(entry));
  if (path_.empty()) return;
  try {
    make_folders();
    write_and_close(open_private(path_, O_WRONLY | O_CREAT | O_APPEND), path_, escaped(entry));
  } catch (const Error& error) {
    give_up(error);
  }
}

/// Opening the file tells whether it could be done.
void History::make_folders() const {
  std::filesystem::path folder = base_;
  for (const auto& part : name_.parent_path()) {
    folder /= part;
    ::mkdir(folder.c_str(), S_IRWXU);
  }
}

void History::give_up(const Error& error) {
  write_stderr_line("note: ", compose("no history is kept: {}", error.what()));
  path_.clear();
}

}  // namespace armature::tools
