#include "tools/batched_bench/sweep.h"

#include <algorithm>
#include <utility>

namespace armature::tools::batched {
namespace {

bool generate(Work& work, std::size_t n_tokens) {
  for (std::size_t i = 0; i < n_tokens; ++i)
    if (!work.generate(0, 1)) return false;
  return true;
}

/// The sequence ends a step deeper.
std::optional<Times> repeat(Work& work, const Sweep& sweep, std::size_t depth, const NanosecondClock& now) {
  work.rewind(depth, sweep.n_gen);
  const auto generation = timed(now, [&] { return generate(work, sweep.n_gen); });
  if (!generation) return std::nullopt;
  work.rewind(depth, sweep.step);
  const auto prompt = timed(now, [&] { return work.process_prompts(1, sweep.step); });
  if (!prompt) return std::nullopt;
  return Times{*prompt, *generation};
}

std::optional<Measurement> measure_step(Work& work, const Sweep& sweep, std::size_t depth,
                                        const NanosecondClock& now) {
  Measurement out;
  for (std::size_t i = 0; i < sweep.repetitions; ++i) {
    const auto times = repeat(work, sweep, depth, now);
    if (!times) return std::nullopt;
    out.repetitions.push_back(*times);
  }
  out.n_pages = work.pages_in_use();
  return out;
}

}  // namespace

std::size_t cells_needed(const Sweep& sweep, std::size_t depth) {
  return depth + std::max(sweep.step, sweep.n_gen);
}

std::optional<std::size_t> run_sweep(Work& work, const Sweep& sweep, const NanosecondClock& now,
                                     const std::function<void(Result)>& take) {
  work.begin(0, 0);
  std::size_t depth = 0;
  for (std::size_t i = 0; cells_needed(sweep, depth) <= sweep.n_cells; ++i, depth += sweep.step) {
    if (i % sweep.stride != 0) {
      if (!work.process_prompts(1, sweep.step)) return std::nullopt;
      continue;
    }
    auto measured = measure_step(work, sweep, depth, now);
    if (!measured) return std::nullopt;
    take({.row = {sweep.step, sweep.n_gen, 1},
          .n_kv = depth,
          .n_prompt_tokens = sweep.step,
          .n_gen_tokens = sweep.n_gen,
          .measured = std::move(*measured)});
  }
  return depth;
}

}  // namespace armature::tools::batched
