#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>

#include "gguf/error.h"

namespace armature::tools {

/// What was entered before, oldest first, kept in a file if there is one. Where that cannot be read or
/// written, a note on standard error says so, once, and the history lasts as long as the program.
class History {
 public:
  static constexpr std::size_t kMaxEntries = 1000;

  History() = default;
  /// Reads the file `name` in the folder `base`, which has one entry a line (`\n` for a newline in it, `\\`
  /// for a backslash), and cuts it to kMaxEntries when it has far more. It and the folders in `name` are made
  /// when the first entry is added; `base` must be there. All is for this user alone, an older file too.
  History(const std::filesystem::path& base, const std::filesystem::path& name);

  std::size_t size() const { return entries_.size(); }
  const std::string& operator[](std::size_t i) const { return entries_[i]; }
  /// Appends an entry, unless it is empty or the same as the last one.
  void add(std::string_view entry);

 private:
  void read_file();
  void cut_file();
  void remember(std::string entry);
  void make_folders() const;
  void give_up(const Error& error);

  std::filesystem::path base_, name_;
  std::string path_;  // empty: none, or no longer
  std::deque<std::string> entries_;
};

}  // namespace armature::tools
