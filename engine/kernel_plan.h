#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config.h"
#include "engine/weights.h"

namespace armature {

/// A kernel row that was passed over for one that stands below it in the table, and why.
struct RowNotTaken {
  enum class Reason : std::uint8_t {
    NotInCpu,  // this machine lacks what the row needs
    Masked,    // it has it, but the features to choose among leave it out
  };
  std::string_view kernel;
  Reason reason;
};

/// The kernel row that runs for one operation on one type.
struct KernelChoice {
  std::string operation;  // "matmul", "embedding", "norm", ...
  std::string type;       // of weights or cache, e.g. "Q4_1", "F16/F32" for keys and values; or empty
  std::string regime;     // of a product: "few rows", "many rows"; else empty
  std::string_view kernel;
  std::size_t n_tensors = 0;           // that it reads, and their bytes; of a fused tensor each part counts
  std::uint64_t bytes = 0;             // 0 for operations without weights
  std::vector<RowNotTaken> not_taken;  // best first; empty where the best row of the table runs
};

struct KernelPlanOptions {
  gguf::TensorType type_k = gguf::TensorType::F16;  // of the cache
  gguf::TensorType type_v = gguf::TensorType::F16;
  cpu::Features features = cpu::detect();  // among which rows are chosen, as for bind_weights()
  cpu::Features detected = cpu::detect();
};

/// Every kernel that a decoder with these options runs, products first. Matrices that are not bound, as
/// check_weights() leaves those at fault, are left out. Throws Error bad_tensor_type for a KV type without a
/// kernel.
std::vector<KernelChoice> kernel_plan(const ModelConfig& config, const Weights& weights,
                                      const KernelPlanOptions& options);

/// One printable line, e.g. "matmul Q8_0, many rows: avx2 (avx512_vnni: masked)".
std::string to_line(const KernelChoice& choice);
std::string_view name_of(RowNotTaken::Reason reason);  // "not in this CPU", "masked"

}  // namespace armature
