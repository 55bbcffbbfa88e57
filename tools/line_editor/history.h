#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace armature::tools {

/// What was entered before, oldest first, kept in a file if there is one. A file that cannot be read or
/// written is no fault: the history then lasts as long as the program.
class History {
 public:
  static constexpr std::size_t kMaxEntries = 1000;

  History() = default;
  /// Reads the file, which has one entry a line (`\n` for a newline in it, `\\` for a backslash), and cuts it
  /// to kMaxEntries when it has far more. It and its folder are made when the first entry is added, for this
  /// user alone.
  explicit History(std::string path);

  std::size_t size() const { return entries_.size(); }
  const std::string& operator[](std::size_t i) const { return entries_[i]; }
  /// Appends an entry, unless it is empty or the same as the last one.
  void add(std::string_view entry);

 private:
  void remember(std::string entry);
  void append_to_file(const std::string& line);

  std::string path_;
  std::deque<std::string> entries_;
};

}  // namespace armature::tools
