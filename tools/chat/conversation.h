#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/decoder.h"
#include "engine/sampler.h"
#include "tools/answer/chat_format.h"
#include "tools/answer/generate.h"
#include "tools/answer/normaliser.h"
#include "tools/chat/transcript.h"
#include "tools/cli/flags.h"

namespace armature::tools {

/// One answer of a conversation.
struct Turn {
  Generation generation;
  std::string text;             // as shown
  std::uint32_t seed = 0;       // of this answer
  std::vector<TokenId> prompt;  // all that the model saw before the answer
  /// Tokens of it whose keys and values were there from earlier turns. The others are generation.n_prompt,
  /// but for interrupts and for what context shifts processed again.
  std::size_t n_cached = 0;
  std::size_t n_dropped = 0;  // tokens that context shifts took out, before and during the answer
  bool is_kept = true;        // false if it was interrupted before its first token: nothing has changed then
};

/// Messages, and one sequence that holds what the model has read of them. A turn processes only the tokens
/// that differ from those of the turn before.
class Conversation {
 public:
  /// Decoder, format and arguments must outlive it. Answer number i, from 0, draws with seed
  /// sampling.seed + i. Throws as Normaliser, through which messages go.
  Conversation(Decoder& decoder, const ChatFormat& format, const SamplerOptions& sampling,
               const Arguments& args);

  std::span<const chat::Message> messages() const { return messages_; }
  bool has_system() const;
  /// Goes on from these. Without a system message among them, the one that is there stays.
  void set_messages(std::vector<chat::Message> messages);
  /// Puts the system message in front of the others, in place of the one that is there; empty: none.
  void set_system(std::string_view text);
  /// Forgets all messages but the system's.
  void clear();
  /// Takes back the last message of the user, with its answer, and returns it; nothing without one.
  std::optional<std::string> undo();

  /// Answers a message of the user. Throws Error, with everything as before: prompt_too_long (the
  /// conversation does not fit the context), bad_template, bad_argument (text that the vocabulary cannot
  /// spell, or none at all); and as generate().
  Turn answer(std::string message, AnswerText& text);
  /// Answers the last message of the user anew. Throws as answer(); bad_argument without a message.
  Turn answer_again(AnswerText& text);

  std::size_t n_tokens() const { return sequence_.size(); }
  std::size_t n_ctx() const { return decoder_.options().n_ctx; }

 private:
  /// Tokens of the transcript that the sequence goes without, after context shifts.
  struct Gap {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
  };

  Turn reply(std::vector<chat::Message> messages, AnswerText& text);
  Gap gap_for(const Transcript& next, const chat::Rendered& rendered) const;
  std::size_t n_kept(const chat::Rendered& rendered) const;
  Generation generate_after(std::span<const TokenId> prompt, std::size_t n_cached, std::size_t n_keep,
                            std::uint32_t seed, AnswerText& text);

  Decoder& decoder_;
  const ChatFormat& format_;
  SamplerOptions sampling_;
  const Arguments& args_;
  Normaliser normaliser_;
  std::vector<chat::Message> messages_;
  Transcript transcript_;
  Gap gap_;
  Sequence sequence_;
  std::uint32_t n_answers_ = 0;
};

}  // namespace armature::tools
