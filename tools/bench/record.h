#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/bench/details.h"
#include "tools/bench/host.h"
#include "tools/bench/loaded_model.h"
#include "tools/bench/measure.h"
#include "tools/bench/test.h"

namespace armature::tools::bench {

/// What is known of one test when it has run. All that is printed follows from it.
struct Record {
  HostFacts host;
  ModelFacts model;
  Test test;
  std::size_t n_threads = 0;
  std::string test_time;  // "2026-08-22T10:20:30Z", before the warm-up
  std::vector<Repetition> repetitions;
  Details details;
};

/// Of each repetition.
std::vector<double> nanoseconds_of(const Record& record);
/// Tokens per second, prompt and generation together, of each repetition.
std::vector<double> rates(const Record& record);

/// The llama-bench whose fields are written.
enum class Compat : std::uint8_t { Year2025, Year2026 };

struct Field {
  enum class Kind : std::uint8_t { Text, Integer, Boolean, Real };
  std::string_view name;
  Kind kind;
  std::string value;  // Boolean: "0" or "1"; Real: with six decimals
};
/// llama-bench's fields but the samples, in its order. Those of GPUs have the values that it gives them where
/// there is none.
std::vector<Field> fields_of(const Record& record, Compat compat);

}  // namespace armature::tools::bench
