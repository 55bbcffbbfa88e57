#include "tools/bench/measure.h"

#include <algorithm>
#include <numeric>

#include "gguf/compose.h"

namespace armature::tools::bench {
namespace {

bool warm_up(Work& work, const MeasureOptions& options) {
  const std::size_t n_gen = std::min<std::size_t>(options.n_gen, 1);
  return work.begin(options.n_depth, options.n_prompt + n_gen) &&
         (options.n_prompt == 0 || work.process_prompt(options.n_prompt)) &&
         (n_gen == 0 || work.generate_token());
}

bool repeat(Work& work, const MeasureOptions& options, const NanosecondClock& now, const Brackets& brackets,
            Repetition& out) {
  if (!work.begin(options.n_depth, options.n_prompt + options.n_gen)) return false;
  if (brackets.before) brackets.before();
  nanoseconds last = now();
  const auto lap = [&] {
    const nanoseconds before = last;
    last = now();
    return last - before;
  };
  if (options.n_prompt > 0) {
    if (!work.process_prompt(options.n_prompt)) return false;
    out.prompt = lap();
  }
  for (nanoseconds& token : out.tokens) {
    if (!work.generate_token()) return false;
    token = lap();
  }
  if (brackets.after) brackets.after();
  return true;
}

}  // namespace

nanoseconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

nanoseconds Repetition::generation() const {
  return std::accumulate(tokens.begin(), tokens.end(), nanoseconds(0));
}

std::optional<std::vector<Repetition>> measure(Work& work, const MeasureOptions& options,
                                               const NanosecondClock& now, const StepNotice& notice,
                                               const Brackets& brackets) {
  if (options.warm_up) {
    if (notice) notice("warm-up");
    if (!warm_up(work, options)) return std::nullopt;
  }
  Repetition empty;
  empty.tokens.resize(options.n_gen);
  std::vector<Repetition> repetitions(options.repetitions, empty);
  for (std::size_t i = 0; i < repetitions.size(); ++i) {
    if (notice) notice(compose("repetition {}/{}", i + 1, repetitions.size()));
    if (!repeat(work, options, now, brackets, repetitions[i])) return std::nullopt;
  }
  return repetitions;
}

}  // namespace armature::tools::bench
