#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/line_editor/history.h"
#include "tools/line_editor/key_decoder.h"
#include "tools/line_editor/line_buffer.h"
#include "tools/line_editor/line_source.h"

namespace armature::tools {

/// Lines that a person types at a terminal, with editing and history. Between calls the terminal is in its
/// usual state.
class LineEditor : public LineSource {
 public:
  /// Reads from `input` and shows the line on `output`, two descriptors of one terminal. The history must
  /// outlive it; entries are added by the caller. `style` is written before prompt and line and undone
  /// behind: an SGR sequence, or nothing.
  LineEditor(int input, int output, const History& history, std::string style)
      : input_(input), output_(output), history_(history), style_(std::move(style)) {}

  /// End: Ctrl-D on an empty line, or the terminal is gone.
  InputLine next(std::string_view prompt) override;

 private:
  enum class Step { Go, Done, Interrupted, End };
  enum class Wait { More, Interrupted, Gone };  // More: keys, or a terminal of another size

  void take_typed_ahead();
  Wait wait_for_keys();
  Step press(const KeyPress& key);
  void edit(const KeyPress& key);
  void move_in_history(bool older);
  void draw(bool whole);

  int input_, output_;
  const History& history_;
  std::string style_;

  KeyDecoder keys_;  // holds what was typed ahead
  LineBuffer line_;
  std::string prompt_;
  std::size_t history_at_ = 0;            // entry that is shown; history_.size(): the new line
  std::string new_line_;                  // while an entry of the history is shown
  std::vector<std::size_t> drawn_above_;  // widths of the rows on the screen above the cursor
  std::size_t drawn_column_ = 0;          // of the cursor
  std::size_t top_ = 0;                   // row of the text that is first on the screen
};

}  // namespace armature::tools
