#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/chat/conversation.h"
#include "tools/chat/message_reader.h"
#include "tools/chat/saved_chat.h"
#include "tools/cli/flags.h"

namespace armature::tools {

struct SessionOptions {
  bool interactive = false;  // a person types at a terminal
  bool json = false;
  bool verbose = false;
  bool single_turn = false;
  bool multiline = false;                 // as the reader has it
  bool show_messages = false;             // that were not typed, on standard output before their answers
  std::vector<std::string> stop_strings;  // never shown
};

/// A chat: messages and commands in, answers to standard output, all else to standard error.
class ChatSession {
 public:
  /// Conversation and reader must outlive it.
  ChatSession(Conversation& conversation, MessageReader& reader, ModelIdentity model, SessionOptions options)
      : conversation_(conversation),
        reader_(reader),
        model_(std::move(model)),
        options_(std::move(options)) {}

  /// Goes on until there is no more input, or a command or an interrupt ends it. `first` is answered first,
  /// and is no command. Returns the exit status: 0; 1 if a message without a person at a terminal could not
  /// be answered; 130 after an interrupt. Throws ReaderLeft, and Error that no other message would mend.
  int run(std::optional<std::string> first);

 private:
  struct Command {
    std::string_view name;
    std::string_view argument;  // as the help shows it; empty: none is taken
    std::string_view help;
    void (ChatSession::*run)(const std::string& argument);
  };
  static std::span<const Command> commands();
  static std::string unknown_command(const std::string& name);

  void take(const std::string& line);
  void say(std::string message, bool typed);
  void answer(const std::function<Turn(AnswerText&)>& ask);
  void show(const Turn& turn);
  void fail(std::string_view error);
  void with_file(const std::function<void()>& work);
  void run_command(std::string_view line);

  void clear(const std::string&);
  void regenerate(const std::string&);
  void undo(const std::string&);
  void set_system(const std::string& text);
  void save(const std::string& file);
  void load(const std::string& file);
  void show_stats(const std::string&);
  void show_help(const std::string&);
  void leave(const std::string&) { over_ = true; }

  Conversation& conversation_;
  MessageReader& reader_;
  ModelIdentity model_;
  SessionOptions options_;
  std::size_t n_turns_ = 0;  // answers, and messages that could not be answered
  std::optional<Turn> last_;
  bool over_ = false;
  int status_ = 0;
};

}  // namespace armature::tools
