#include "tools/answer/answer_text.h"

#include "tools/cli/output.h"

namespace armature::tools {

bool AnswerText::push(std::string_view bytes) {
  bytes_.clear();
  stopped_ = stop_.push(bytes, bytes_);
  show(bytes_);
  return stopped_;
}

void AnswerText::finish() {
  bytes_.clear();
  if (!stopped_) stop_.flush(bytes_);
  show(bytes_);
  const std::size_t shown = text_.size();
  utf8_.flush(text_);
  if (streamed_) write_stdout(std::string_view(text_).substr(shown));
}

void AnswerText::show(std::string_view bytes) {
  const std::size_t shown = text_.size();
  utf8_.push(bytes, text_);
  if (streamed_) write_stdout(std::string_view(text_).substr(shown));
}

}  // namespace armature::tools
