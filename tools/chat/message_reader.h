#pragma once

#include "tools/line_editor/history.h"
#include "tools/line_editor/line_source.h"

namespace armature::tools {

/// Puts messages together from lines. A line that ends in a backslash, which is left out, goes on with the
/// next; or, with `multiline`, every line goes on but those that end in a backslash or a slash, which is left
/// out. The end of the input ends a message too.
class MessageReader {
 public:
  /// Both must outlive it; messages are added to the history, which may be null.
  MessageReader(LineSource& lines, History* history, bool multiline)
      : lines_(lines), history_(history), multiline_(multiline) {}

  /// A message, which may be empty, or a command: a line that begins with one slash and is the first is taken
  /// by itself. An interrupt makes it begin anew if something was typed. Throws as LineSource::next().
  InputLine next();

 private:
  LineSource& lines_;
  History* history_;
  bool multiline_;
};

/// True for a line that is a command of the chat.
bool is_command(std::string_view line);

}  // namespace armature::tools
