#include "tools/batched_bench/options.h"

#include <algorithm>
#include <initializer_list>

#include "gguf/compose.h"
#include "tools/cli/value_list.h"
#include "tools/cli/values.h"

namespace armature::tools::batched {
namespace {

std::vector<std::size_t> sizes(const Arguments& args, Option option) {
  const auto numbers = integers(args, option);
  return {numbers.begin(), numbers.end()};
}

std::size_t size(const Arguments& args, Option option) {
  return static_cast<std::size_t>(args.integer(option));
}

}  // namespace

std::vector<Case> read_cases(const Arguments& args) {
  return list_cases({sizes(args, Option::BatchedPrompt), sizes(args, Option::BatchedGen),
                     sizes(args, Option::BatchedSequences)});
}

Mode read_mode(const Arguments& args) {
  return {.shared_prompt = args.is_on(Option::BatchedSharedPrompt),
          .one_by_one = args.is_on(Option::BatchedOneByOne)};
}

Sweep read_sweep(const Arguments& args, std::size_t n_ubatch, std::size_t n_cells) {
  const bool is_given = args.integer(Option::SweepGen) > 0;
  return {.n_cells = n_cells,
          .step = n_ubatch,
          .n_gen = is_given ? size(args, Option::SweepGen) : std::max<std::size_t>(n_ubatch / 4, 1),
          .stride = size(args, Option::SweepStride),
          .repetitions = size(args, Option::BatchedRepetitions)};
}

int read_flash_attention(const Arguments& args) {
  const auto on = switch_value(args.text(Option::FlashAttn));
  return !on ? -1 : *on == "on" ? 1 : 0;
}

std::vector<std::string> notes_on(const Arguments& args) {
  std::vector<std::string> lines;
  const auto add = [&](std::initializer_list<Option> options, std::string_view where) {
    for (const Option option : options)
      if (args.is_given(option))
        lines.push_back(compose("{} has no effect {} --sweep", args.name_of(option), where));
  };
  if (args.is_on(Option::Sweep)) {
    add({Option::BatchedPrompt, Option::BatchedGen, Option::BatchedSequences, Option::BatchedSharedPrompt,
         Option::BatchedOneByOne},
        "with");
    return lines;
  }
  add({Option::SweepGen, Option::SweepStride, Option::SweepMemory, Option::SweepWarmUp}, "without");
  if (read_cases(args).empty()) lines.emplace_back("there are no rows: -npp, -ntg and -npl are all needed");
  return lines;
}

}  // namespace armature::tools::batched
