#include "tools/line_editor/plain_lines.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt_source.h"
#include "tools/cli/signals.h"
#include "tools/line_editor/terminal.h"

namespace armature::tools {

PlainLines::Read PlainLines::read_more() {
  std::array<char, 1 << 14> bytes;
  while (!interrupted()) {
    const ssize_t n = ::read(descriptor_, bytes.data(), bytes.size());
    if (n == 0) return Read::End;
    if (n > 0) {
      held_.append(bytes.data(), static_cast<std::size_t>(n));
      return Read::Some;
    }
    if (errno == EAGAIN) {
      pollfd waiting = {descriptor_, POLLIN, 0};
      ::poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      throw Error(ErrorCode::io, compose("standard input: {}", std::strerror(errno)));
    }
  }
  return Read::Interrupted;
}

InputLine PlainLines::interrupt() {
  if (prompts_ < 0) return {InputLine::Kind::Interrupted, {}};
  forget_interrupt();
  write_terminal(prompts_, "\n");
  dropped_ = !dropped_;
  return {dropped_ ? InputLine::Kind::Dropped : InputLine::Kind::Interrupted, {}};
}

InputLine PlainLines::next(std::string_view prompt) {
  if (prompts_ >= 0) {
    forget_interrupt();  // one that came too late to stop an answer
    write_terminal(prompts_, prompt);
  }
  std::size_t end;
  while ((end = held_.find('\n', searched_)) == std::string::npos) {
    searched_ = held_.size();
    if (searched_ > kMaxPromptBytes)
      throw Error(ErrorCode::io, compose("standard input: a line of more than {} bytes", kMaxPromptBytes));
    const Read read = read_more();
    if (read == Read::Some) continue;
    searched_ = 0;
    std::string text = std::exchange(held_, {});
    if (read == Read::Interrupted) return interrupt();
    dropped_ = false;
    return {text.empty() ? InputLine::Kind::End : InputLine::Kind::Text, std::move(text)};
  }
  std::string line = held_.substr(0, end);
  held_.erase(0, end + 1);
  searched_ = 0;
  dropped_ = false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return {InputLine::Kind::Text, std::move(line)};
}

}  // namespace armature::tools
