#include "tools/chat/message_reader.h"

#include <string>

#include "tools/cli/signals.h"

namespace armature::tools {

bool is_command(std::string_view line) { return line.starts_with('/') && !line.starts_with("//"); }

InputLine MessageReader::next() {
  std::string message;
  bool more = false;  // lines of this message were read
  for (;;) {
    InputLine line = lines_.next(more ? ". " : "> ");
    if (line.kind == InputLine::Kind::Interrupted && (!more || interrupted())) return line;
    if (line.kind == InputLine::Kind::Dropped || line.kind == InputLine::Kind::Interrupted) {
      message.clear();
      more = false;
      continue;
    }
    if (line.kind == InputLine::Kind::End && !more) return line;
    const bool alone = !more && is_command(line.text) && line.text.find('\n') == std::string::npos;
    const bool backslash = !alone && line.text.ends_with('\\');
    const bool marked = backslash || (!alone && multiline_ && line.text.ends_with('/'));
    if (marked) line.text.pop_back();
    message += line.text;
    more = line.kind == InputLine::Kind::Text && !alone && marked != multiline_;
    if (!more) break;
    message += '\n';
  }
  if (message.ends_with('\n')) message.pop_back();
  if (history_ != nullptr) history_->add(message);
  return {InputLine::Kind::Text, std::move(message)};
}

}  // namespace armature::tools
