#include "tools/chat/session.h"

#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/report.h"
#include "tools/chat/turn_report.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"

namespace armature::tools {
namespace {

void note(std::string_view line) { write_stderr_line("note: ", line); }

/// Shows a message as it would look in an answer.
void echo(const std::string& message) {
  AnswerText text({}, true);
  text.push("> " + message + "\n");
  text.finish();
}

/// Faults of a message, after which another may fare better.
bool can_go_on_after(ErrorCode code) {
  return code == ErrorCode::prompt_too_long || code == ErrorCode::bad_template ||
         code == ErrorCode::bad_argument;
}

}  // namespace

int ChatSession::run(std::optional<std::string> first) {
  if (first) say(std::move(*first), false);
  while (!over_ && !(options_.single_turn && n_turns_ > 0)) {
    const InputLine line = reader_.next();
    if (line.kind == InputLine::Kind::Interrupted) return kInterruptedStatus;
    if (line.kind == InputLine::Kind::End) break;
    take(line.text);
  }
  return status_;
}

void ChatSession::take(const std::string& line) {
  if (line.empty()) return;
  if (is_command(line)) return run_command(line);
  say(line.starts_with("//") ? line.substr(1) : line, options_.interactive);
}

void ChatSession::say(std::string message, bool typed) {
  if (options_.show_messages && !typed) echo(message);
  answer([&](AnswerText& text) { return conversation_.answer(std::move(message), text); });
}

void ChatSession::answer(const std::function<Turn(AnswerText&)>& ask) {
  ++n_turns_;
  AnswerText text(options_.stop_strings, !options_.json);
  try {
    show(ask(text));
  } catch (const Error& error) {
    if (!can_go_on_after(error.code())) throw;
    std::string problem = error.what();
    if (error.code() == ErrorCode::bad_template && conversation_.has_system())
      problem += "; if it is for the system message, /system alone removes that";
    fail(problem);
    if (options_.json) write_stdout(error_json_line(problem, n_turns_));
  }
}

void ChatSession::show(const Turn& turn) {
  write_stdout(options_.json ? to_json_line(turn, n_turns_) : "\n");
  if (options_.verbose) {
    write_stderr_line("prompt: ", ids_text(turn.prompt));
    write_stderr_line("", to_line(turn));
  }
  if (turn.n_dropped > 0)
    note(compose("the context was full: the oldest {} tokens were dropped", turn.n_dropped));
  if (turn.generation.reason == StopReason::Context)
    note(
        compose("the context of {} tokens is full; /undo and /clear make room, -c sets its size, "
                "--context-shift drops what is oldest",
                conversation_.n_ctx()));
  if (!turn.is_kept) note("interrupted before the answer began: the message is left out of the chat");
  last_ = turn;
  if (turn.generation.reason != StopReason::Interrupted) return;
  forget_interrupt();
  if (options_.interactive) return;
  over_ = true;
  status_ = kInterruptedStatus;
}

void ChatSession::fail(std::string_view error) {
  write_stderr_line("error: ", error);
  if (!options_.interactive) status_ = 1;
}

}  // namespace armature::tools
