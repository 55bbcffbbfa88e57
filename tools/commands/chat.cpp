#include "tools/commands/chat.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/chat_format.h"
#include "tools/answer/prompt_source.h"
#include "tools/chat/conversation.h"
#include "tools/chat/session.h"
#include "tools/cli/output.h"
#include "tools/cli/signals.h"
#include "tools/line_editor/line_editor.h"
#include "tools/line_editor/plain_lines.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// What was typed, kept where the XDG Base Directory Specification says; in memory alone if there is no such
/// place or --no-history is given.
History find_history(const Arguments& args) {
  if (!args.is_on(Option::History)) return {};
  const std::filesystem::path state = variable("XDG_STATE_HOME"), home = variable("HOME");
  if (state.is_absolute()) return {state.root_path(), state.relative_path() / "armature" / "history"};
  if (home.is_absolute()) return {home, std::filesystem::path(".local/state/armature/history")};
  return {};
}

/// A person's terminal.
struct Terminal {
  int output;  // what is typed is shown there: standard error, else standard output
  bool can_move_cursor;
};
std::optional<Terminal> find_terminal() {
  if (::isatty(STDIN_FILENO) == 0) return std::nullopt;
  const std::string type = variable("TERM");
  const bool can_move_cursor = !type.empty() && type != "dumb";
  for (const int output : {STDERR_FILENO, STDOUT_FILENO}) {
    if (::isatty(output) != 0) return Terminal{output, can_move_cursor};
  }
  return std::nullopt;
}

/// The SGR sequence for what a person types; empty for none.
std::string input_style(const Arguments& args) {
  constexpr std::string_view kBoldGreen = "\x1b[1;32m";
  const std::string_view choice = args.text(Option::Color);
  const bool off = choice == "off" || choice == "disabled" || choice == "false" || choice == "0";
  return off || !variable("NO_COLOR").empty() ? "" : std::string(kBoldGreen);
}

std::unique_ptr<LineSource> make_line_source(const std::optional<Terminal>& terminal, const History& history,
                                             const Arguments& args) {
  if (!terminal) return std::make_unique<PlainLines>(STDIN_FILENO);
  if (!terminal->can_move_cursor) return std::make_unique<PlainLines>(STDIN_FILENO, terminal->output);
  return std::make_unique<LineEditor>(STDIN_FILENO, terminal->output, history, input_style(args));
}

SessionOptions session_options(const Arguments& args, bool interactive) {
  SessionOptions options;
  options.interactive = interactive;
  options.json = args.is_on(Option::Json);
  options.verbose = args.is_on(Option::Verbose);
  options.single_turn = args.is_on(Option::SingleTurn);
  options.multiline = args.is_on(Option::MultilineInput);
  const bool watched = interactive && ::isatty(STDOUT_FILENO) != 0;
  options.show_messages = !options.json && (args.is_given(Option::Echo) ? args.is_on(Option::Echo) : watched);
  options.stop_strings = stop_strings(args);
  return options;
}

ChatFormat require_format(const Model& model, const Arguments& args) {
  if (auto format = ChatFormat::find(model.metadata(), model.tokenizer(), args)) return std::move(*format);
  throw Error(ErrorCode::bad_template, {model.path(), {}, {}},
              "no chat template in the file; give one with --chat-template or --chat-template-file, or "
              "complete a prompt with: armature run --raw");
}

}  // namespace

int chat(const Arguments& args, std::chrono::steady_clock::time_point) {
  if (args.is_given(Option::Conversation) && !args.is_on(Option::Conversation))
    throw UsageError("a chat cannot do without a chat template; armature run --raw completes a prompt");
  std::optional<std::string> first;
  if (has_prompt(args)) first = read_prompt(args);
  const auto system = system_message(args);
  const SamplerOptions sampling = sampler_options(args);

  const auto model = load_model(args);
  tell_about_model(*model, args);
  const ChatFormat format = require_format(*model, args);
  const DecoderOptions options = choose_decoder_options(*model, args);
  write_stderr_line("seed: ", std::to_string(sampling.seed));
  if (interrupted()) return kInterruptedStatus;
  Decoder decoder(model, options);
  tell_about_threads(decoder, options);

  Conversation conversation(decoder, format, sampling, args);
  if (system) conversation.set_system(*system);
  const auto terminal = find_terminal();
  History history = terminal ? find_history(args) : History();
  const auto lines = make_line_source(terminal, history, args);
  MessageReader reader(*lines, terminal ? &history : nullptr, args.is_on(Option::MultilineInput));
  if (terminal && !first)
    write_stderr_line("", compose("{}: /help lists the commands, Ctrl-D leaves", model->path()));
  ChatSession session(conversation, reader, ModelIdentity::of(*model),
                      session_options(args, terminal.has_value()));
  return session.run(std::move(first));
}

}  // namespace armature::tools
