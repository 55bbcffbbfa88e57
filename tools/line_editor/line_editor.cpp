#include "tools/line_editor/line_editor.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "gguf/compose.h"
#include "tools/cli/signals.h"
#include "tools/line_editor/layout.h"
#include "tools/line_editor/terminal.h"

namespace armature::tools {
namespace {

constexpr char kControlD = '\x04';
constexpr int kEscapeMilliseconds = 100;  // within which the rest of an escape sequence follows

bool has_input(int descriptor, int timeout) {
  pollfd waiting = {descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, timeout) > 0;
}

}  // namespace

/// Keys that came while the terminal was in its usual state, where Ctrl-D marks an end of input: in raw state
/// that mark is read as a zero byte.
void LineEditor::take_typed_ahead() {
  std::array<char, 4096> bytes;
  while (has_input(input_, 0)) {
    const ssize_t n = ::read(input_, bytes.data(), bytes.size());
    if (n <= 0) return;
    std::replace(bytes.begin(), bytes.begin() + n, '\0', kControlD);
    keys_.push({bytes.data(), static_cast<std::size_t>(n)});
  }
}

LineEditor::Wait LineEditor::wait_for_keys() {
  if (interrupted()) return Wait::Interrupted;
  if (keys_.is_in_escape() && !has_input(input_, kEscapeMilliseconds)) {
    keys_.drop_escape();
    return Wait::More;
  }
  std::array<char, 4096> bytes;
  pollfd waiting = {input_, POLLIN, 0};
  const bool signalled = ::poll(&waiting, 1, -1) < 0 && errno == EINTR;
  if (signalled) return interrupted() ? Wait::Interrupted : Wait::More;
  const ssize_t n = ::read(input_, bytes.data(), bytes.size());
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return Wait::More;
  if (n <= 0) return Wait::Gone;
  keys_.push({bytes.data(), static_cast<std::size_t>(n)});
  return Wait::More;
}

InputLine LineEditor::next(std::string_view prompt) {
  RawTerminal raw(input_, output_);
  forget_interrupt();  // one that came too late to stop an answer
  take_typed_ahead();
  line_.set({});
  prompt_ = prompt;
  history_at_ = history_.size();
  drawn_above_.clear();
  drawn_column_ = top_ = 0;
  Step step = Step::Go;
  while (step == Step::Go) {
    if (const auto key = keys_.next()) {
      if (key->key == Key::Suspend) raw.suspend();
      step = press(*key);
      continue;
    }
    if (!has_input(input_, 0)) draw(false);
    const Wait wait = wait_for_keys();
    if (wait == Wait::Interrupted) step = Step::Interrupted;
    if (wait == Wait::Gone) step = Step::End;
  }
  line_.move_to(line_.text().size());
  draw(true);
  write_terminal(output_, step == Step::Interrupted ? "^C\r\n" : "\r\n");
  if (step == Step::End) return {InputLine::Kind::End, {}};
  if (step == Step::Done) return {InputLine::Kind::Text, line_.text()};
  keys_ = {};
  forget_interrupt();
  return {line_.text().empty() ? InputLine::Kind::Interrupted : InputLine::Kind::Dropped, {}};
}

LineEditor::Step LineEditor::press(const KeyPress& key) {
  switch (key.key) {
    case Key::Enter:
      return Step::Done;
    case Key::Interrupt:
      return Step::Interrupted;
    case Key::EndOfInput:
      if (line_.text().empty()) return Step::End;
      line_.erase_to(line_.next());
      return Step::Go;
    case Key::Suspend:
    case Key::ClearScreen:
      write_terminal(output_, key.key == Key::ClearScreen ? "\x1b[H\x1b[2J" : "");
      drawn_above_.clear();
      drawn_column_ = 0;
      return Step::Go;
    case Key::Up:
      if (const auto place = line_.above()) {
        line_.move_to(*place);
      } else {
        move_in_history(true);
      }
      return Step::Go;
    case Key::Down:
      if (const auto place = line_.below()) {
        line_.move_to(*place);
      } else {
        move_in_history(false);
      }
      return Step::Go;
    default:
      edit(key);
      return Step::Go;
  }
}

void LineEditor::edit(const KeyPress& key) {
  switch (key.key) {
    case Key::Text:
      return line_.insert(key.text);
    case Key::NewLine:
      return line_.insert("\n");
    case Key::Backspace:
      return line_.erase_to(line_.previous());
    case Key::Delete:
      return line_.erase_to(line_.next());
    case Key::Left:
      return line_.move_to(line_.previous());
    case Key::Right:
      return line_.move_to(line_.next());
    case Key::WordLeft:
      return line_.move_to(line_.word_start());
    case Key::WordRight:
      return line_.move_to(line_.word_end());
    case Key::Home:
      return line_.move_to(line_.line_start());
    case Key::End:
      return line_.move_to(line_.line_end());
    case Key::KillToStart:
      return line_.kill_to(line_.line_start());
    case Key::KillToEnd:
      return line_.kill_to(line_.line_end());
    case Key::KillWordBefore:
      return line_.kill_to(line_.word_start());
    case Key::KillWordAfter:
      return line_.kill_to(line_.word_end());
    case Key::Yank:
      return line_.yank();
    default:
      return;
  }
}

void LineEditor::move_in_history(bool older) {
  if (older ? history_at_ == 0 : history_at_ >= history_.size()) return;
  if (history_at_ == history_.size()) new_line_ = line_.text();
  older ? --history_at_ : ++history_at_;
  line_.set(history_at_ == history_.size() ? new_line_ : history_[history_at_]);
}

/// Puts prompt and line on the screen in place of what is there: the part around the cursor that the screen
/// has room for, or the whole.
void LineEditor::draw(bool whole) {
  const TerminalSize size = terminal_size(output_);
  // When a terminal gets narrower, it breaks the rows that were drawn.
  std::size_t up = drawn_column_ / size.columns;
  for (const std::size_t width : drawn_above_)
    up += std::max<std::size_t>(1, (width + size.columns - 1) / size.columns);

  const Layout layout = lay_out(line_.text(), line_.cursor(), prompt_.size(), size.columns);
  const std::size_t last_top = layout.cursor_row >= size.rows ? layout.cursor_row - size.rows + 1 : 0;
  top_ = whole ? 0 : std::clamp(top_, last_top, layout.cursor_row);
  const std::size_t end = whole ? layout.rows.size() : std::min(top_ + size.rows, layout.rows.size());

  std::string out = "\r";
  if (up > 0) out += compose("\x1b[{}A", up);
  out += "\x1b[J" + style_;
  if (top_ == 0) out += prompt_;
  drawn_above_.clear();
  for (std::size_t row = top_; row < end; ++row) {
    if (row > top_) out += "\r\n";
    out += layout.rows[row].text;
    if (row < layout.cursor_row) drawn_above_.push_back(layout.rows[row].width);
  }
  if (!style_.empty()) out += "\x1b[0m";
  out += '\r';
  if (end - 1 > layout.cursor_row) out += compose("\x1b[{}A", end - 1 - layout.cursor_row);
  if (layout.cursor_column > 0) out += compose("\x1b[{}C", layout.cursor_column);
  drawn_column_ = layout.cursor_column;
  write_terminal(output_, out);
}

}  // namespace armature::tools
