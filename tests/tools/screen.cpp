#include "tests/tools/screen.h"

#include <algorithm>
#include <charconv>

#include "engine/tokenizer/utf8.h"

namespace armature::test {
namespace {

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) || (c >= 0xAC00 && c < 0xD7A4) ||
         (c >= 0xFF01 && c < 0xFF61) || (c >= 0x1F300 && c < 0x1FA00);
}

}  // namespace

void Screen::new_row() {
  ++row_;
  if (row_ == rows_.size()) rows_.emplace_back();
}

void Screen::put(std::string_view character, std::size_t width) {
  if (column_ + width > n_columns_) {
    new_row();
    column_ = 0;
  }
  Row& row = rows_[row_];
  if (row.size() < column_ + width) row.resize(column_ + width, " ");
  row[column_] = character;
  if (width == 2) row[column_ + 1].clear();
  column_ += width;
}

void Screen::control(char final, std::size_t n) {
  switch (final) {
    case 'A':
      row_ = std::max(top(), row_ - std::min(row_, n));
      break;
    case 'B':
      row_ = std::min(row_ + n, rows_.size() - 1);
      break;
    case 'C':
      column_ = std::min(column_ + n, n_columns_ - 1);
      break;
    case 'D':
      column_ -= std::min(column_, n);
      break;
    case 'H':
      row_ = top();
      column_ = 0;
      break;
    case 'J':
      rows_[row_].resize(std::min(rows_[row_].size(), column_));
      rows_.resize(row_ + 1);
      break;
    default:
      break;
  }
}

void Screen::write(std::string_view bytes) {
  held_ += bytes;
  std::string_view left = held_;
  while (!left.empty()) {
    if (left.front() == '\x1b') {
      const std::size_t end = left.find_first_not_of("\x1b[?;0123456789");
      if (end == left.npos) break;
      const std::size_t digits = left.find_first_of("0123456789");
      std::size_t n = 1;
      if (digits < end) std::from_chars(left.data() + digits, left.data() + end, n);
      control(left[end], n);
      left.remove_prefix(end + 1);
      continue;
    }
    const Utf8Start start = read_utf8(left);
    if (start.kind == Utf8Kind::incomplete) break;
    if (left.front() == '\r') {
      column_ = 0;
    } else if (left.front() == '\n') {
      new_row();
    } else if (start.code_point >= 0x20) {
      put(left.substr(0, start.length), is_wide(start.code_point) ? 2 : 1);
    }
    left.remove_prefix(start.length);
  }
  held_ = std::string(left);
}

void Screen::resize(std::size_t rows, std::size_t columns) {
  n_rows_ = rows;
  n_columns_ = columns;
  std::vector<Row> broken;
  std::size_t new_row = 0, new_column = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if (i == row_) {
      new_row = broken.size() + column_ / columns;
      new_column = column_ % columns;
    }
    std::size_t at = 0;
    do {
      const std::size_t end = std::min(at + columns, row.size());
      broken.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(at),
                          row.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
    } while (at < row.size());
  }
  while (broken.size() <= new_row) broken.emplace_back();
  rows_ = std::move(broken);
  row_ = new_row;
  column_ = new_column;
}

std::string Screen::text_of(const Row& row) {
  std::string text;
  for (const std::string& cell : row) text += cell;
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

std::vector<std::string> Screen::rows() const {
  std::vector<std::string> out;
  for (const Row& row : rows_) out.push_back(text_of(row));
  while (out.size() > 1 && out.back().empty()) out.pop_back();
  return out;
}

std::string Screen::row_of_cursor() const { return text_of(rows_[row_]); }

}  // namespace armature::test
