#include "tools/answer/generate.h"

#include <algorithm>
#include <array>
#include <string>

#include "tools/cli/progress.h"
#include "tools/cli/signals.h"
#include "tools/priority.h"

namespace armature::tools {
namespace {

/// Adds the time that a call takes to `total`, and passes its result on.
template <class Call>
auto timed(Clock::duration& total, const Call& call) {
  struct Timer {
    Clock::duration& total;
    Clock::time_point start = Clock::now();
    ~Timer() { total += Clock::now() - start; }
  } timer{total};
  return call();
}

/// A mapped file that is written to while we read it gives wrong answers without a signal; asking once a
/// second costs nothing.
class ChangeCheck {
 public:
  explicit ChangeCheck(const Model& model) : model_(model) {}
  void now() {
    if (model_.files().is_mapped()) model_.files().check_unchanged();
    last_ = Clock::now();
  }
  void once_a_second() {
    if (Clock::now() - last_ >= std::chrono::seconds(1)) now();
  }

 private:
  const Model& model_;
  Clock::time_point last_ = Clock::now();
};

class Run {
 public:
  Run(Decoder& decoder, Sequence& sequence, Sampler& sampler, const GenerateOptions& options,
      AnswerText& answer)
      : decoder_(decoder), sequence_(sequence), sampler_(sampler), answer_(answer), options_(options) {}

  Generation finish(std::span<const TokenId> prompt) {
    ChangeCheck file(decoder_.model());
    const std::size_t before = sequence_.size();
    const bool whole = options_.progress ? prefill_with_progress(prompt) : prefill(prompt);
    out_.n_prompt = sequence_.size() - before;
    timed(out_.sample, [&] {
      for (const TokenId token : prompt) sampler_.accept(token);
    });
    auto reason = whole ? before_choice() : StopReason::Interrupted;
    while (!reason) {
      file.once_a_second();
      reason = choose();
      if (!reason) reason = before_pass();
      if (!reason) {
        pass();
        reason = before_choice();
      }
    }
    answer_.finish();
    file.now();
    out_.reason = *reason;
    return std::move(out_);
  }

 private:
  /// False when interrupted.
  bool prefill(std::span<const TokenId> tokens, const std::function<void(std::size_t)>& done = {}) {
    const PromptPriority priority;
    return timed(out_.prompt, [&] { return decoder_.prefill(sequence_, tokens, interrupted, done); });
  }
  bool prefill_with_progress(std::span<const TokenId> tokens) {
    Progress progress("prompt", tokens.size(), "tokens");
    return prefill(tokens, [&](std::size_t n) { progress.set(n); });
  }

  std::optional<StopReason> before_choice() const {
    if (interrupted()) return StopReason::Interrupted;
    return at_limit();
  }
  std::optional<StopReason> before_pass() {
    if (const auto reason = at_limit()) return reason;
    return sequence_.size() < decoder_.options().n_ctx ? std::nullopt : make_room();
  }
  std::optional<StopReason> at_limit() const {
    const std::int64_t most = options_.n_predict;
    if (most < 0 || out_.tokens.size() < static_cast<std::uint64_t>(most)) return std::nullopt;
    return StopReason::Length;
  }

  std::optional<StopReason> make_room() {
    const std::size_t n_keep = options_.n_keep;
    if (!options_.context_shift || sequence_.size() < n_keep + 2) return StopReason::Context;
    const std::size_t n_drop = (sequence_.size() - n_keep) / 2;
    const auto stays = sequence_.tokens().subspan(n_keep + n_drop);
    const std::vector<TokenId> again(stays.begin(), stays.end());
    sequence_.trim(n_keep);
    const bool whole = prefill(again);
    out_.n_prompt += sequence_.size() - n_keep;
    out_.n_dropped += n_drop;
    return whole ? std::nullopt : std::optional(StopReason::Interrupted);
  }

  bool ends_answer(TokenId token) const {
    const auto& ends = options_.end_tokens;
    return decoder_.model().tokenizer().is_end_of_generation(token) ||
           std::find(ends.begin(), ends.end(), token) != ends.end();
  }

  std::optional<StopReason> choose() {
    const TokenId token = timed(out_.sample, [&] {
      const TokenId chosen = sampler_.sample(decoder_.logits(0));
      sampler_.accept(chosen);
      return chosen;
    });
    out_.tokens.push_back(token);
    if (ends_answer(token)) return StopReason::Eos;
    piece_.clear();
    decoder_.model().tokenizer().append_piece(piece_, token, false);
    if (answer_.push(piece_)) return StopReason::Stop;
    return std::nullopt;
  }

  void pass() {
    batch_.assign(1, {out_.tokens.back(), &sequence_, true});
    if (timed(out_.generate, [&] { return decoder_.forward(batch_, interrupted); })) ++out_.n_passes;
  }

  Decoder& decoder_;
  Sequence& sequence_;
  Sampler& sampler_;
  AnswerText& answer_;
  const GenerateOptions& options_;
  Generation out_;
  Batch batch_;
  std::string piece_;
};

}  // namespace

std::string_view name_of(StopReason reason) {
  constexpr std::array<std::string_view, 5> kNames = {"eos", "length", "stop", "context", "interrupted"};
  return kNames[static_cast<std::size_t>(reason)];
}

Generation generate(Decoder& decoder, Sequence& sequence, Sampler& sampler, std::span<const TokenId> prompt,
                    const GenerateOptions& options, AnswerText& answer) {
  return Run(decoder, sequence, sampler, options, answer).finish(prompt);
}

}  // namespace armature::tools
