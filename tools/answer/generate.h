#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/decoder.h"
#include "engine/sampler.h"
#include "tools/answer/answer_text.h"

namespace armature::tools {

/// Why an answer ended.
enum class StopReason : std::uint8_t {
  Eos,          // a token that ends the answer
  Length,       // as many tokens as asked for
  Stop,         // a stop string
  Context,      // the context is full
  Interrupted,  // SIGINT
};
std::string_view name_of(StopReason reason);  // "eos", ...

using Clock = std::chrono::steady_clock;

struct Generation {
  std::vector<TokenId> tokens;  // chosen, a token that ended the answer included
  StopReason reason = StopReason::Length;
  std::size_t n_prompt = 0;   // tokens that were processed in the prompt's passes: all of it, unless
                              // interrupted, and again those that context shifts left
  std::size_t n_dropped = 0;  // by context shifts
  std::size_t n_passes = 0;   // forward passes after the prompt, one token each
  Clock::duration prompt{}, generate{},
      sample{};  // time in the prompt's passes, in the others, in the sampler
};

struct GenerateOptions {
  std::int64_t n_predict = -1;            // most tokens to make; < 0: no limit
  std::span<const TokenId> end_tokens{};  // that end the answer like those that the tokenizer knows
  /// When the context is full, keep its first n_keep tokens, drop the older half of the others, process the
  /// rest anew and go on.
  bool context_shift = false;
  std::size_t n_keep = 0;
  /// A line on the terminal tells how far a long prompt is; the cursor must stand at the begin of a line.
  bool progress = false;
};

/// Appends the prompt, which fits the context, to the sequence, and makes tokens until there is a StopReason;
/// their bytes go to `answer`. The sampler sees both. Of the tokens made, the sequence then lacks the last:
/// one is processed only when another is to follow. Interrupts are looked for all the time. Throws Error:
/// not_finite, file_changed, and those of the output.
Generation generate(Decoder& decoder, Sequence& sequence, Sampler& sampler, std::span<const TokenId> prompt,
                    const GenerateOptions& options, AnswerText& answer);

}  // namespace armature::tools
