#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "tools/bench/record.h"
#include "tools/bench/test.h"
#include "tools/cli/flags.h"

namespace armature::tools::bench {

/// The lists that the command line gives, or their defaults. Throws UsageError.
TestLists read_lists(const Arguments& args);

/// What holds for all tests.
struct BenchOptions {
  std::size_t repetitions = 5;
  bool warm_up = true, progress = false;
  bool roofs = false;              // measure the machine too: a format shows shares of what it can do
  std::chrono::seconds delay{0};   // before each test
  std::string output, output_err;  // formats; none: ""
  Compat compat = Compat::Year2026;
  std::string numa;  // a word of --numa, or empty
};
BenchOptions read_options(const Arguments& args);

}  // namespace armature::tools::bench
