#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace armature::tools {

enum class Key : std::uint8_t {
  Text,  // characters, typed or pasted
  Enter,
  NewLine,  // Alt-Enter: a newline in the text
  Interrupt,
  EndOfInput,
  Suspend,
  Backspace,
  Delete,
  Left,
  Right,
  WordLeft,
  WordRight,
  Home,
  End,
  Up,
  Down,
  KillToStart,
  KillToEnd,
  KillWordBefore,
  KillWordAfter,
  Yank,
  ClearScreen,
  None,  // a key without a meaning here
};

struct KeyPress {
  Key key;
  std::string text;  // of Text: valid UTF-8 without control characters but tabs and, if pasted, newlines
};

/// Makes keys of the bytes that a terminal sends: UTF-8, the control characters of Emacs, and the escape
/// sequences of ECMA-48 terminals (xterm, Linux console, VT220). How the bytes are cut into pieces makes no
/// difference.
class KeyDecoder {
 public:
  void push(std::string_view bytes) { held_ += bytes; }
  /// The next key; nothing if more bytes are needed.
  std::optional<KeyPress> next();

  /// True if next() waits for the end of an escape sequence, which a lone Escape key never sends.
  bool is_in_escape() const { return !pasting_ && !held_.empty() && held_.front() == '\x1b'; }
  void drop_escape() { held_.clear(); }

 private:
  KeyPress take(std::size_t n_bytes, Key key);
  std::optional<KeyPress> next_escape();
  std::optional<KeyPress> next_text();
  std::optional<KeyPress> next_paste();

  std::string held_;
  bool pasting_ = false;
  std::string pasted_;
};

}  // namespace armature::tools
