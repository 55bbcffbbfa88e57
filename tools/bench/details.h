#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/kernel_plan.h"
#include "tools/bench/loaded_model.h"
#include "tools/sensors/reading.h"
#include "tools/sensors/run_sensors.h"

namespace armature::tools::bench {

/// Counts up when what is timed, or how a number under "x" is computed, changes.
inline constexpr int kMethod = 1;

/// What the machine can do at best, a second, and of what: pages of "4 KiB", arithmetic "int8 avx512_vnni".
struct Roof {
  std::optional<double> value;
  std::string reason = {};
  std::string of = {};
  bool busy = false;  // something else took the cores' time when it was measured: it may be higher
};

/// What llama-bench does not tell, beside what follows from the times of a Record.
struct Details {
  std::string threads_reason;
  bool warm_up = true;
  std::string isa;              // the features that kernels were chosen among
  Seconds open{0}, page_in{0};  // of the model, before its first test
  Seconds make_decoder{0};      // cache, scratch and threads of this test
  std::uint64_t kv_bytes = 0, scratch_bytes = 0;
  std::uint64_t peak_rss = 0;     // of the process up to the end of this test
  double kv_bytes_per_token = 0;  // that a generated token reads, on average; 0 without generation
  std::vector<KernelChoice> kernels;

  Observations sensors;

  // Measured by others: they set a value, or the reason why there is none.
  // Bytes per second from pages of the kind in which the weights lie, and of the other kind.
  Roof read_bandwidth = {{}, "the machine's read bandwidth was not measured"};
  Roof read_bandwidth_other_pages = {{}, "the machine's read bandwidth was not measured"};
  // Multiply-adds per second of the arithmetic that most of the weights take.
  Roof peak_rate = {{}, "the machine's peak rate was not measured"};
  Reading output_check = {{}, "the kernels were not checked"};  // 1: right; 0: wrong, and what
};

struct Record;
/// The object "x" of a record in JSON. What was not measured, or is not there in such a test, is an object
/// {"value": null, "reason": "..."}.
std::string details_json(const Record& record, int indent);

}  // namespace armature::tools::bench
