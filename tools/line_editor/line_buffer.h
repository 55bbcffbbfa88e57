#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace armature::tools {

/// A text of one or more lines while it is edited, in valid UTF-8, with a cursor between two characters.
/// Places are byte offsets; a character includes the combining ones behind it.
class LineBuffer {
 public:
  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }

  std::size_t previous() const;  // places one step away from the cursor, or the cursor at an end of the text
  std::size_t next() const;
  std::size_t word_start() const;  // of this word or the one before; words lie between spaces
  std::size_t word_end() const;
  std::size_t line_start() const;
  std::size_t line_end() const;
  /// The place in the line above or below that is as many characters from its start; none without such a
  /// line.
  std::optional<std::size_t> above() const;
  std::optional<std::size_t> below() const;

  void set(std::string text);  // cursor at its end
  void insert(std::string_view text);
  void move_to(std::size_t place) { cursor_ = place; }
  /// Removes what lies between the cursor and a place.
  void erase_to(std::size_t place);
  /// The same, and keeps it for yank().
  void kill_to(std::size_t place);
  void yank() { insert(std::string(killed_)); }

 private:
  std::size_t line_start_of(std::size_t place) const;
  std::size_t line_end_of(std::size_t place) const;
  std::size_t next_of(std::size_t place) const;
  std::size_t place_in_line(std::size_t line) const;

  std::string text_;
  std::size_t cursor_ = 0;
  std::string killed_;
};

}  // namespace armature::tools
