#include "tools/line_editor/line_buffer.h"

#include <algorithm>
#include <utility>

#include "engine/tokenizer/utf8.h"
#include "tools/line_editor/char_width.h"

namespace armature::tools {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool continues_character(std::string_view text, std::size_t place) {
  const auto start = read_utf8(text.substr(place));
  return start.kind != Utf8Kind::character || char_width(start.code_point) == 0;
}

}  // namespace

std::size_t LineBuffer::next_of(std::size_t place) const {
  if (place == text_.size()) return place;
  do {
    place += read_utf8(std::string_view(text_).substr(place)).length;
  } while (place < text_.size() && continues_character(text_, place));
  return place;
}

std::size_t LineBuffer::next() const { return next_of(cursor_); }

std::size_t LineBuffer::previous() const {
  std::size_t place = cursor_;
  if (place == 0) return place;
  do {
    --place;
  } while (place > 0 && continues_character(text_, place));
  return place;
}

std::size_t LineBuffer::word_start() const {
  std::size_t place = cursor_;
  while (place > 0 && is_space(text_[place - 1])) --place;
  while (place > 0 && !is_space(text_[place - 1])) --place;
  return place;
}

std::size_t LineBuffer::word_end() const {
  std::size_t place = cursor_;
  while (place < text_.size() && is_space(text_[place])) ++place;
  while (place < text_.size() && !is_space(text_[place])) ++place;
  return place;
}

std::size_t LineBuffer::line_start_of(std::size_t place) const {
  const std::size_t newline = place == 0 ? text_.npos : text_.rfind('\n', place - 1);
  return newline == text_.npos ? 0 : newline + 1;
}

std::size_t LineBuffer::line_end_of(std::size_t place) const {
  return std::min(text_.find('\n', place), text_.size());
}

std::size_t LineBuffer::line_start() const { return line_start_of(cursor_); }
std::size_t LineBuffer::line_end() const { return line_end_of(cursor_); }

/// The place in the line that starts at `line` which is as far from its start as the cursor is in its own.
std::size_t LineBuffer::place_in_line(std::size_t line) const {
  const std::size_t end = line_end_of(line);
  for (std::size_t at = line_start(); at < cursor_ && line < end; at = next_of(at)) line = next_of(line);
  return line;
}

std::optional<std::size_t> LineBuffer::above() const {
  const std::size_t start = line_start();
  if (start == 0) return std::nullopt;
  return place_in_line(line_start_of(start - 1));
}

std::optional<std::size_t> LineBuffer::below() const {
  const std::size_t end = line_end();
  if (end == text_.size()) return std::nullopt;
  return place_in_line(end + 1);
}

void LineBuffer::set(std::string text) {
  text_ = std::move(text);
  cursor_ = text_.size();
}

void LineBuffer::insert(std::string_view text) {
  text_.insert(cursor_, text);
  cursor_ += text.size();
}

void LineBuffer::erase_to(std::size_t place) {
  const auto [begin, end] = std::minmax(place, cursor_);
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

void LineBuffer::kill_to(std::size_t place) {
  const auto [begin, end] = std::minmax(place, cursor_);
  killed_ = text_.substr(begin, end - begin);
  erase_to(place);
}

}  // namespace armature::tools
