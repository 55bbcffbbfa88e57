#include "tools/batched_bench/measure.h"

namespace armature::tools::batched {
namespace {

/// One token of each sequence at a time.
bool generate_together(Work& work, const Case& row) {
  for (std::size_t i = 0; i < row.n_gen; ++i)
    if (!work.generate(0, row.n_sequences)) return false;
  return true;
}

bool generate_one_by_one(Work& work, const Case& row) {
  for (std::size_t sequence = 0; sequence < row.n_sequences; ++sequence)
    for (std::size_t i = 0; i < row.n_gen; ++i)
      if (!work.generate(sequence, 1)) return false;
  return true;
}

std::optional<Times> repeat(Work& work, const Case& row, const Mode& mode, const NanosecondClock& now) {
  const std::size_t n_prompts = mode.shared_prompt ? 1 : row.n_sequences;
  work.begin(n_prompts, row.n_prompt + (mode.shared_prompt ? 0 : row.n_gen));
  const auto prompt = row.n_prompt == 0
                          ? std::optional(nanoseconds(0))
                          : timed(now, [&] { return work.process_prompts(n_prompts, row.n_prompt); });
  if (!prompt) return std::nullopt;
  if (mode.shared_prompt) work.share_prompt(row.n_sequences, row.n_gen);
  const auto generate = [&] {
    return mode.one_by_one ? generate_one_by_one(work, row) : generate_together(work, row);
  };
  const auto generation = row.n_gen == 0 ? std::optional(nanoseconds(0)) : timed(now, generate);
  if (!generation) return std::nullopt;
  return Times{*prompt, *generation};
}

}  // namespace

std::optional<Measurement> measure(Work& work, const Case& row, const Mode& mode, std::size_t repetitions,
                                   const NanosecondClock& now) {
  Measurement out;
  for (std::size_t i = 0; i < repetitions; ++i) {
    const auto times = repeat(work, row, mode, now);
    if (!times) return std::nullopt;
    out.repetitions.push_back(*times);
  }
  out.n_pages = work.pages_in_use();
  return out;
}

}  // namespace armature::tools::batched
