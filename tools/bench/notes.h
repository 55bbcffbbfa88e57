#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/bench/options.h"
#include "tools/bench/test.h"

namespace armature::tools::bench {

/// Printable lines about what may not have been meant: more threads than the CPUs allowed, the built-in
/// model, depths that the fields of 2025 do not show.
std::vector<std::string> notes_on(std::span<const Test> tests, const BenchOptions& options,
                                  std::size_t n_allowed_cpus);

}  // namespace armature::tools::bench
