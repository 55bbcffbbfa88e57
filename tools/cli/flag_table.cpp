#include "tools/cli/flag_table.h"

#include <algorithm>
#include <cassert>

namespace armature::tools {
namespace {

std::vector<Flag> all_flags() {
  std::vector<Flag> all;
  for (const auto group :
       {input_flags(), tokenize_flags(), answer_flags(), sampling_flags(), context_flags(), machine_flags(),
        placement_flags(), output_flags(), rope_flags(), thinking_flags(), synth_flags(), perplexity_flags(),
        bench_flags(), bench_other_flags(), batched_bench_flags(), ignored_flags(), ignored_draft_flags(),
        refused_flags(), refused_sampling_flags()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace

std::span<const Flag> flag_table() {
  static const std::vector<Flag> table = all_flags();
  return table;
}

const Flag& flag_of(Option option) {
  const auto table = flag_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [option](const Flag& flag) { return flag.option == option; });
  assert(found != table.end());
  return *found;
}

}  // namespace armature::tools
