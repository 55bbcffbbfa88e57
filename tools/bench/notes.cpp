#include "tools/bench/notes.h"

#include <algorithm>

#include "gguf/compose.h"

namespace armature::tools::bench {

std::vector<std::string> notes_on(std::span<const Test> tests, const BenchOptions& options,
                                  std::size_t n_allowed_cpus) {
  std::vector<std::string> notes;
  const auto any = [&](const auto& is) { return std::any_of(tests.begin(), tests.end(), is); };
  if (any([](const Test& test) { return test.model.kind == ModelChoice::Kind::BuiltIn; }))
    notes.emplace_back("neither -m nor --synth: the built-in model is measured");
  std::size_t n_threads = 0;
  for (const Test& test : tests) n_threads = std::max(n_threads, test.n_threads);
  if (n_threads > n_allowed_cpus)
    notes.push_back(compose("{} threads take turns on {}", n_threads,
                            n_allowed_cpus == 1 ? "the 1 CPU that is allowed"
                                                : compose("the {} CPUs that are allowed", n_allowed_cpus)));
  if (options.compat == Compat::Year2025 && any([](const Test& test) { return test.n_depth > 0; }))
    notes.emplace_back("the fields of --compat 2025 do not show -d");
  return notes;
}

}  // namespace armature::tools::bench
