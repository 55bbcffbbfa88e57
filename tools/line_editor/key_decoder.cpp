#include "tools/line_editor/key_decoder.h"

#include <algorithm>

#include "engine/tokenizer/utf8.h"

namespace armature::tools {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kPasteBegin = "[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr std::size_t kLongestSequence = 32;

constexpr char control(char letter) { return static_cast<char>(letter & 0x1F); }

struct ControlKey {
  char byte;
  Key key;
};
constexpr ControlKey kControlKeys[] = {
    {'\r', Key::Enter},
    {'\n', Key::Enter},
    {'\x7F', Key::Backspace},
    {control('A'), Key::Home},
    {control('B'), Key::Left},
    {control('C'), Key::Interrupt},
    {control('D'), Key::EndOfInput},
    {control('E'), Key::End},
    {control('F'), Key::Right},
    {control('H'), Key::Backspace},
    {control('K'), Key::KillToEnd},
    {control('L'), Key::ClearScreen},
    {control('N'), Key::Down},
    {control('P'), Key::Up},
    {control('U'), Key::KillToStart},
    {control('W'), Key::KillWordBefore},
    {control('Y'), Key::Yank},
    {control('Z'), Key::Suspend},
};

struct EscapeKey {
  std::string_view sequence;  // behind the escape character
  Key key;
};
constexpr EscapeKey kEscapeKeys[] = {
    {"[A", Key::Up},
    {"OA", Key::Up},
    {"[B", Key::Down},
    {"OB", Key::Down},
    {"[C", Key::Right},
    {"OC", Key::Right},
    {"[D", Key::Left},
    {"OD", Key::Left},
    {"[H", Key::Home},
    {"OH", Key::Home},
    {"[1~", Key::Home},
    {"[7~", Key::Home},
    {"[F", Key::End},
    {"OF", Key::End},
    {"[4~", Key::End},
    {"[8~", Key::End},
    {"[3~", Key::Delete},
    {"[1;5D", Key::WordLeft},
    {"[1;3D", Key::WordLeft},
    {"b", Key::WordLeft},
    {"[1;5C", Key::WordRight},
    {"[1;3C", Key::WordRight},
    {"f", Key::WordRight},
    {"d", Key::KillWordAfter},
    {"\x7F", Key::KillWordBefore},
    {"\r", Key::NewLine},
    {"\n", Key::NewLine},
};

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

/// Pasted bytes as text: line ends as newlines, other control characters left out, U+FFFD for what is not
/// UTF-8.
std::string clean(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    const Utf8Start start = read_utf8(bytes.substr(at));
    if (start.kind != Utf8Kind::character) {
      text += "\uFFFD";
    } else if (bytes[at] == '\n' || bytes[at] == '\r') {
      if (bytes[at] == '\r' || at == 0 || bytes[at - 1] != '\r') text += '\n';
    } else if (!is_control(bytes[at])) {
      text += bytes.substr(at, start.length);
    }
    at += start.length;
  }
  return text;
}

}  // namespace

KeyPress KeyDecoder::take(std::size_t n_bytes, Key key) {
  held_.erase(0, n_bytes);
  return {key, {}};
}

std::optional<KeyPress> KeyDecoder::next() {
  if (pasting_) return next_paste();
  if (held_.empty()) return std::nullopt;
  if (held_.front() == kEscape) return next_escape();
  if (!is_control(held_.front())) return next_text();
  const auto found = std::find_if(std::begin(kControlKeys), std::end(kControlKeys),
                                  [&](const ControlKey& row) { return row.byte == held_.front(); });
  return take(1, found == std::end(kControlKeys) ? Key::None : found->key);
}

std::optional<KeyPress> KeyDecoder::next_escape() {
  if (held_.size() < 2) return std::nullopt;
  std::size_t end = 2;  // of the sequence
  if (held_[1] == 'O') end = 3;
  if (held_[1] == '[') {
    while (end < held_.size() && end < kLongestSequence && (held_[end] < 0x40 || held_[end] > 0x7E)) ++end;
    ++end;
  }
  if (end > held_.size()) return std::nullopt;
  const std::string_view sequence = std::string_view(held_).substr(1, end - 1);
  if (sequence == kPasteBegin) {
    held_.erase(0, end);
    pasting_ = true;
    return next_paste();
  }
  const auto found = std::find_if(std::begin(kEscapeKeys), std::end(kEscapeKeys),
                                  [&](const EscapeKey& row) { return row.sequence == sequence; });
  return take(end, found == std::end(kEscapeKeys) ? Key::None : found->key);
}

std::optional<KeyPress> KeyDecoder::next_text() {
  std::size_t end = 0;
  while (end < held_.size() && !is_control(held_[end])) {
    const Utf8Start start = read_utf8(std::string_view(held_).substr(end));
    if (start.kind == Utf8Kind::incomplete) break;
    end += start.length;
  }
  if (end == 0) return std::nullopt;
  KeyPress press{Key::Text, clean(std::string_view(held_).substr(0, end))};
  held_.erase(0, end);
  return press;
}

std::optional<KeyPress> KeyDecoder::next_paste() {
  const std::size_t end = held_.find(kPasteEnd);
  if (end == held_.npos) {
    // The end mark may have come in part.
    const std::size_t n = held_.size() - std::min(held_.size(), kPasteEnd.size() - 1);
    pasted_.append(held_, 0, n);
    held_.erase(0, n);
    return std::nullopt;
  }
  pasted_.append(held_, 0, end);
  held_.erase(0, end + kPasteEnd.size());
  pasting_ = false;
  KeyPress press{Key::Text, clean(pasted_)};
  pasted_.clear();
  return press;
}

}  // namespace armature::tools
