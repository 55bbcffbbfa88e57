#include "tools/chat/conversation.h"

#include <algorithm>
#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/answer/prompt.h"
#include "tools/setup.h"

namespace armature::tools {
namespace {

constexpr std::string_view kSystem = "system", kUser = "user", kAssistant = "assistant";

bool begins_with_system(std::span<const chat::Message> messages) {
  return !messages.empty() && messages.front().role == kSystem;
}

std::size_t common_length(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

Conversation::Conversation(Decoder& decoder, const ChatFormat& format, const SamplerOptions& sampling,
                           const Arguments& args)
    : decoder_(decoder),
      format_(format),
      sampling_(sampling),
      args_(args),
      normaliser_(args, decoder.model().tokenizer()),
      transcript_(decoder.model().tokenizer()),
      sequence_(decoder.new_sequence()) {}

bool Conversation::has_system() const { return begins_with_system(messages_); }

void Conversation::set_messages(std::vector<chat::Message> messages) {
  if (has_system() && !begins_with_system(messages))
    messages.insert(messages.begin(), std::move(messages_.front()));
  messages_ = std::move(messages);
}

void Conversation::set_system(std::string_view text) {
  if (has_system()) messages_.erase(messages_.begin());
  if (text.empty()) return;
  messages_.insert(messages_.begin(), {std::string(kSystem), normaliser_.apply(std::string(text))});
}

void Conversation::clear() { messages_.resize(has_system() ? 1 : 0); }

std::optional<std::string> Conversation::undo() {
  const auto last = std::find_if(messages_.rbegin(), messages_.rend(),
                                 [](const chat::Message& message) { return message.role == kUser; });
  if (last == messages_.rend()) return std::nullopt;
  std::string text = std::move(last->content);
  messages_.erase(std::prev(last.base()), messages_.end());
  return text;
}

Turn Conversation::answer(std::string message, AnswerText& text) {
  std::vector<chat::Message> messages = messages_;
  messages.push_back({std::string(kUser), normaliser_.apply(std::move(message))});
  return reply(std::move(messages), text);
}

Turn Conversation::answer_again(AnswerText& text) {
  std::vector<chat::Message> messages = messages_;
  if (!messages.empty() && messages.back().role == kAssistant) messages.pop_back();
  if (messages.empty() || messages.back().role != kUser)
    throw Error(ErrorCode::bad_argument, "there is no message to answer");
  return reply(std::move(messages), text);
}

Turn Conversation::reply(std::vector<chat::Message> messages, AnswerText& text) {
  const chat::Rendered rendered = format_.render(messages, true);
  Transcript next = transcript_.with(rendered);
  if (next.tokens().empty())
    throw Error(ErrorCode::bad_argument, "empty prompt, and the model has no BOS token to go on from");
  Gap gap = gap_for(next, rendered);
  const auto all = next.tokens();
  std::vector<TokenId> prompt(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(gap.begin));
  prompt.insert(prompt.end(), all.begin() + static_cast<std::ptrdiff_t>(gap.end), all.end());

  Turn turn;
  turn.seed = sampling_.seed + n_answers_++;
  // The last token is processed in any case: its logits choose the first token of the answer.
  turn.n_cached = std::min(common_length(sequence_.tokens(), prompt), prompt.size() - 1);
  turn.generation = generate_after(prompt, turn.n_cached, gap.begin, turn.seed, text);
  turn.text = text.text();
  turn.prompt = std::move(prompt);
  const Generation& made = turn.generation;
  turn.n_dropped = gap.size() - std::min(gap.size(), gap_.size()) + made.n_dropped;
  turn.is_kept = made.reason != StopReason::Interrupted || !made.tokens.empty();
  if (!turn.is_kept) return turn;

  messages.push_back({std::string(kAssistant), turn.text});
  messages_ = std::move(messages);
  next.append_answer(made.tokens, turn.text, made.reason);
  transcript_ = std::move(next);
  gap.end += made.n_dropped;
  gap_ = gap;
  return turn;
}

Generation Conversation::generate_after(std::span<const TokenId> prompt, std::size_t n_cached,
                                        std::size_t n_keep, std::uint32_t seed, AnswerText& text) {
  SamplerOptions sampling = sampling_;
  sampling.seed = seed;
  Sampler sampler = make_sampler(sampling, decoder_.model().tokenizer(), format_.end_tokens(), args_);
  for (const TokenId token : prompt.first(n_cached)) sampler.accept(token);
  sequence_.trim(n_cached);
  return generate(decoder_, sequence_, sampler, prompt.subspan(n_cached),
                  {.n_predict = args_.integer(Option::NPredict),
                   .end_tokens = format_.end_tokens(),
                   .context_shift = args_.is_on(Option::ContextShift),
                   .n_keep = n_keep,
                   .progress = true},
                  text);
}

/// What has to be left out of the next transcript to make it fit the context: what was, if the tokens up to
/// there are the same, and again and again the older half of the rest, but never what the user has just said.
Conversation::Gap Conversation::gap_for(const Transcript& next, const chat::Rendered& rendered) const {
  const std::size_t n = next.tokens().size();
  const bool shifts = args_.is_on(Option::ContextShift);
  Gap gap = gap_;
  if (gap.size() == 0 || common_length(transcript_.tokens(), next.tokens()) < gap.end)
    gap.begin = gap.end = shifts ? std::min(n_kept(rendered), n) : 0;
  if (shifts && !rendered.literal.empty()) {
    const ByteRange last = {rendered.literal.back().begin, rendered.text.size()};
    const std::size_t n_last = encode_part(decoder_.model().tokenizer(), rendered, last, true).size();
    const std::size_t most = n - std::min(n_last, n);
    while (n - gap.size() > n_ctx() && gap.end < most)
      gap.end += std::min(most - gap.end, std::max<std::size_t>(1, (n - gap.end) / 2));
  }
  if (n - gap.size() <= n_ctx()) return gap;
  throw Error(ErrorCode::prompt_too_long,
              compose("with this message the chat has {} tokens, the context {}; /undo and /clear make room, "
                      "-c sets the context, --context-shift drops what is oldest",
                      n - gap.size(), n_ctx()));
}

/// Tokens that context shifts keep: those in front of the first message of the user, or more if --keep says
/// so; with -1 also that message.
std::size_t Conversation::n_kept(const chat::Rendered& rendered) const {
  const std::int64_t asked = args_.integer(Option::Keep);
  const std::size_t n_messages = (has_system() ? 1 : 0) + (asked < 0 ? 1 : 0);
  const auto& literal = rendered.literal;
  const std::size_t end = n_messages < literal.size() ? literal[n_messages].begin : rendered.text.size();
  const Tokenizer& tokenizer = decoder_.model().tokenizer();
  std::vector<TokenId> front = encode_part(tokenizer, rendered, {0, end}, false);
  add_bos(front, tokenizer);
  return std::max(front.size(), static_cast<std::size_t>(std::max<std::int64_t>(asked, 0)));
}

}  // namespace armature::tools
