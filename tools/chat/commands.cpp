// The commands of a chat: lines that begin with a slash.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt_source.h"
#include "tools/chat/session.h"
#include "tools/chat/turn_report.h"
#include "tools/cli/edit_distance.h"
#include "tools/cli/output.h"
#include "tools/cli/output_file.h"
#include "tools/cli/signals.h"

namespace armature::tools {
namespace {

void tell(std::string_view line) { write_stderr_line("", line); }
void note(std::string_view line) { write_stderr_line("note: ", line); }

struct CommandLine {
  std::string name;
  std::string argument;  // without the blanks around it
};
CommandLine split(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\n";
  line.remove_prefix(1);  // the slash
  const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
  CommandLine out{std::string(line.substr(0, end)), {}};
  line.remove_prefix(end);
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first != line.npos) out.argument = line.substr(first, line.find_last_not_of(kBlanks) - first + 1);
  return out;
}

/// A file name as typed; "-" is one like any other.
std::string path_of(const std::string& file) { return file == "-" ? "./-" : file; }

/// Whether nothing but a saved chat is lost when the file is written. Throws as read_text_file().
bool may_be_replaced(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode) || file.st_size == 0) return true;
  constexpr std::int64_t kMostBytes = kMaxPromptBytes;  // that /load takes
  return file.st_size <= kMostBytes && is_saved_chat(read_text_file(path));
}

bool has_system(const SavedChat& chat) {
  return !chat.messages.empty() && chat.messages.front().role == "system";
}

}  // namespace

std::span<const ChatSession::Command> ChatSession::commands() {
  static constexpr std::array<Command, 9> kCommands = {{
      {"clear", "", "forget all messages but the system's", &ChatSession::clear},
      {"regen", "", "answer the last message anew", &ChatSession::regenerate},
      {"undo", "", "take back the last message and its answer", &ChatSession::undo},
      {"system", "[TEXT]", "set the system message; without TEXT: none", &ChatSession::set_system},
      {"save", "FILE", "write the messages to FILE, as JSON", &ChatSession::save},
      {"load", "FILE", "go on from messages that were saved", &ChatSession::load},
      {"stats", "", "tokens in the context, times of the last answer", &ChatSession::show_stats},
      {"help", "", "this list", &ChatSession::show_help},
      {"exit", "", "leave, as Ctrl-D does", &ChatSession::leave},
  }};
  return kCommands;
}

std::string ChatSession::unknown_command(const std::string& name) {
  if (name.empty()) return "/ alone is no command; /help lists them; a message may begin with // for a slash";
  const auto all = commands();
  const auto nearest = std::min_element(all.begin(), all.end(), [&](const Command& a, const Command& b) {
    return edit_distance(name, a.name) < edit_distance(name, b.name);
  });
  return compose("unknown command {}; the nearest is /{}; a message may begin with // for a slash",
                 quote("/" + name), nearest->name);
}

void ChatSession::run_command(std::string_view line) {
  const CommandLine given = split(line);
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Command& command) { return command.name == given.name; });
  if (found == all.end()) return fail(unknown_command(given.name));
  if (found->argument.empty() && !given.argument.empty())
    return fail(compose("/{} takes nothing behind it", found->name));
  if (found->argument == "FILE" && given.argument.empty())
    return fail(compose("/{} needs the name of a file", found->name));
  (this->*found->run)(given.argument);
}

void ChatSession::clear(const std::string&) {
  conversation_.clear();
  tell("all messages are forgotten");
}

void ChatSession::regenerate(const std::string&) {
  answer([&](AnswerText& text) { return conversation_.answer_again(text); });
}

void ChatSession::undo(const std::string&) {
  const auto text = conversation_.undo();
  if (!text) return fail("there is no message to take back");
  tell("taken back: " + quote(*text));
}

void ChatSession::set_system(const std::string& text) {
  const bool had_one = conversation_.has_system();
  conversation_.set_system(text);
  tell(!text.empty() ? "the system message is set"
       : had_one     ? "the system message is removed"
                     : "there was no system message to remove");
}

void ChatSession::save(const std::string& file) {
  const auto messages = conversation_.messages();
  const std::string text = to_json(SavedChat{model_, {messages.begin(), messages.end()}});
  with_file([&] {
    OutputFile out(path_of(file));
    if (!may_be_replaced(path_of(file)))
      throw Error(ErrorCode::io, {file, {}, {}}, "this file is no saved chat; another name is needed");
    out.write(std::as_bytes(std::span(text)));
    out.commit();
    tell(compose("{} messages are saved in {}", messages.size(), quote(file)));
  });
}

void ChatSession::load(const std::string& file) {
  with_file([&] {
    SavedChat chat = parse_saved_chat(read_text_file(path_of(file)), file);
    if (chat.model != model_)
      note(compose("the chat was held with another model, {}", quote(chat.model.name)));
    for (const std::string& key : chat.left_out)
      note(compose("{} of its messages is left out: a chat keeps roles and contents", quote(key)));
    std::string done = compose("{} messages are loaded", chat.messages.size());
    if (conversation_.has_system()) {
      done += has_system(chat) ? "; their system message takes the place of the one before"
                               : "; the system message stays";
    }
    conversation_.set_messages(std::move(chat.messages));
    tell(done);
  });
}

/// Does what a command does with a file.
void ChatSession::with_file(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    fail(error.what());
  } catch (const Interrupted&) {
    if (!options_.interactive) throw;
    forget_interrupt();
    write_stderr("\n");  // behind the ^C of the terminal
    fail("interrupted; the chat is as it was");
  }
}

void ChatSession::show_stats(const std::string&) {
  tell(compose("context: {} of {} tokens; {} messages", conversation_.n_tokens(), conversation_.n_ctx(),
               conversation_.messages().size()));
  if (last_) tell(to_line(*last_));
}

void ChatSession::show_help(const std::string&) {
  for (const Command& command : commands()) {
    std::string usage = compose("/{} {}", command.name, command.argument);
    usage.resize(std::max<std::size_t>(usage.size(), 16), ' ');
    tell(compose("  {}{}", usage, command.help));
  }
  tell(options_.multiline
           ? "A backslash or a slash at the end of a line ends the message. Ctrl-C stops an answer."
           : "Alt-Enter, or a backslash at the end of a line: another line. Ctrl-C stops an answer.");
}

}  // namespace armature::tools
