#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace armature::test {

/// The screen of a terminal that knows what the program sends: text, CR, LF, and of ECMA-48 CUU, CUD, CUF,
/// CUB, CUP to the top, ED, SGR (no effect) and private modes (no effect). Characters are one column wide,
/// East Asian ones two. A full row is left when the next character comes.
class Screen {
 public:
  Screen(std::size_t rows, std::size_t columns) : n_rows_(rows), n_columns_(columns), rows_(1) {}

  void write(std::string_view bytes);
  /// Breaks rows that have become too long, as most terminals do.
  void resize(std::size_t rows, std::size_t columns);

  /// The last rows that are not empty, without blanks at their ends; scrolled ones too.
  std::vector<std::string> rows() const;
  std::string row_of_cursor() const;
  std::size_t cursor_column() const { return column_; }
  /// The last row that is not empty.
  std::string last_row() const { return rows().back(); }

 private:
  using Row = std::vector<std::string>;  // a cell is a character, or empty behind a wide one

  void put(std::string_view character, std::size_t width);
  void new_row();
  void control(char final, std::size_t n);
  static std::string text_of(const Row& row);
  std::size_t top() const { return rows_.size() > n_rows_ ? rows_.size() - n_rows_ : 0; }

  std::size_t n_rows_, n_columns_;
  std::vector<Row> rows_;  // from the first that was ever shown
  std::size_t row_ = 0, column_ = 0;
  std::string held_;  // the begin of a sequence or a character
};

}  // namespace armature::test
