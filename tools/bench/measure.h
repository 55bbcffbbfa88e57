#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace armature::tools::bench {

using std::chrono::nanoseconds;
/// Time from any fixed moment on; never goes back.
using NanosecondClock = std::function<nanoseconds()>;
nanoseconds steady_now();

/// What is timed. Each call returns when its work is done, or false when it was interrupted.
class Work {
 public:
  virtual ~Work() = default;
  /// Empties the cache, then puts `depth` tokens into it, and makes ready for n_next more.
  virtual bool begin(std::size_t depth, std::size_t n_next) = 0;
  virtual bool process_prompt(std::size_t n_tokens) = 0;
  virtual bool generate_token() = 0;
};

struct MeasureOptions {
  std::size_t n_prompt = 0, n_gen = 0, n_depth = 0;
  std::size_t repetitions = 5;  // at least 1
  bool warm_up = true;          // the whole prompt and one token before, untimed
};

/// The times of one repetition. Prompt and generation follow each other without a gap.
struct Repetition {
  nanoseconds prompt{0};
  std::vector<nanoseconds> tokens;  // of each generated one

  nanoseconds generation() const;
  nanoseconds total() const { return prompt + generation(); }
};

/// Told what is about to run, e.g. "warm-up", "repetition 2/5".
using StepNotice = std::function<void(std::string_view)>;

/// Called on both sides of what is timed of each repetition: just before the first reading of the clock, and
/// just after the last.
struct Brackets {
  std::function<void()> before, after;
};

/// Nothing when the work was interrupted. The clock is read once before and once after the prompt, and once
/// after each token; nothing is allocated between.
std::optional<std::vector<Repetition>> measure(Work& work, const MeasureOptions& options,
                                               const NanosecondClock& now, const StepNotice& notice = {},
                                               const Brackets& brackets = {});

}  // namespace armature::tools::bench
