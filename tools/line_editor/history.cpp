#include "tools/line_editor/history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

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

/// Opens a file for this user alone; -1 if that fails.
int open_private(const std::string& path, int flags) {
  return ::open(path.c_str(), flags | O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

void make_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  std::filesystem::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), S_IRWXU);
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

History::History(std::string path) : path_(std::move(path)) {
  if (!is_file(path_)) return;
  std::ifstream file(path_, std::ios::binary);
  std::size_t n_lines = 0;
  for (std::string line; std::getline(file, line); ++n_lines) remember(unescaped(line));
  if (n_lines <= 2 * kMaxEntries) return;
  const int cut = open_private(path_ + ".new", O_TRUNC);
  if (cut < 0) return;
  std::string text;
  for (const std::string& entry : entries_) text += escaped(entry);
  const bool whole = ::write(cut, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(cut);
  if (whole) ::rename((path_ + ".new").c_str(), path_.c_str());
}

void History::remember(std::string entry) {
  entries_.push_back(std::move(entry));
  if (entries_.size() > kMaxEntries) entries_.pop_front();
}

void History::add(std::string_view entry) {
  if (entry.empty() || (!entries_.empty() && entries_.back() == entry)) return;
  remember(std::string(entry));
  if (!path_.empty()) append_to_file(escaped(entry));
}

void History::append_to_file(const std::string& line) {
  make_folder_of(path_);
  const int file = open_private(path_, O_APPEND | O_NONBLOCK);
  if (file < 0) return;
  static_cast<void>(!::write(file, line.data(), line.size()));  // one piece: chats may run side by side
  ::close(file);
}

}  // namespace armature::tools
