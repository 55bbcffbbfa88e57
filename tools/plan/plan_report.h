#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/decoder.h"
#include "engine/kernel_plan.h"

namespace armature::tools {

/// What running a model will take, and how it will run.
struct PlanReport {
  struct {
    std::string path, architecture, type;
    std::size_t n_ctx_train = 0;
  } model;
  DecoderOptions options;
  std::string context_reason, threads_reason;
  MemoryPlan memory;
  std::uint64_t weights = 0;           // bytes of the files
  bool weights_stay_in_files = false;  // mapped and not locked: the system reads them as they are needed
  std::uint64_t more_logits = 0;       // bytes of logits beyond the row that counts as scratch
  std::uint64_t available = 0;
  std::string isa;
  std::string isa_masked_by;  // "--isa", "ARMATURE_ISA"; empty where the CPU has no more
  std::vector<KernelChoice> kernels;

  std::uint64_t kv_per_token() const { return memory.kv_bytes_per_page / kPageCells; }
  std::uint64_t total() const { return weights + memory.kv_bytes + memory.scratch_bytes + more_logits; }
  /// What must be allocated.
  std::uint64_t needed() const { return weights_stay_in_files ? total() - weights : total(); }
  bool fits() const { return needed() <= available; }
};

/// One JSON object with a line end.
std::string to_json(const PlanReport& report);
/// Lines for people, with line ends.
std::string to_text(const PlanReport& report);

}  // namespace armature::tools
