#pragma once

#include <string>
#include <vector>

#include "tools/batched_bench/case.h"
#include "tools/batched_bench/sweep.h"
#include "tools/cli/flags.h"

namespace armature::tools::batched {

/// The rows that the three lists give; none if one of them is empty.
std::vector<Case> read_cases(const Arguments& args);
Mode read_mode(const Arguments& args);
/// For steps of n_ubatch tokens in a context of n_cells.
Sweep read_sweep(const Arguments& args, std::size_t n_ubatch, std::size_t n_cells);
/// -1: auto.
int read_flash_attention(const Arguments& args);

/// What was given that makes no difference, a line each.
std::vector<std::string> notes_on(const Arguments& args);

}  // namespace armature::tools::batched
