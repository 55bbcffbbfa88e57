#pragma once

#include <string>

#include "tools/line_editor/line_source.h"

namespace armature::tools {

/// Lines of a descriptor as they come, without editing.
class PlainLines : public LineSource {
 public:
  /// `prompts`: the terminal of a person, where prompts are written to; -1: there is none.
  explicit PlainLines(int descriptor, int prompts = -1) : descriptor_(descriptor), prompts_(prompts) {}

  /// A last line without a newline counts. A line of more than kMaxPromptBytes is an Error io. Of a person's
  /// interrupts the first is Dropped, since the terminal does not tell whether it has dropped a line, and one
  /// right behind it is Interrupted; without a person each is Interrupted, and not forgotten.
  InputLine next(std::string_view prompt) override;

 private:
  enum class Read { Some, End, Interrupted };
  Read read_more();
  InputLine interrupt();

  int descriptor_;
  int prompts_;
  std::string held_;          // read and not yet given
  std::size_t searched_ = 0;  // bytes of held_ that have no newline
  bool dropped_ = false;      // what came last was Dropped
};

}  // namespace armature::tools
