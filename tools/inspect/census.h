#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gguf/model_files.h"
#include "kernels/cpu.h"

namespace armature::tools {

/// Sums over tensors.
struct TensorSums {
  std::uint64_t tensors = 0, parameters = 0, bytes = 0;

  void add(const gguf::TensorInfo& tensor);
  double bits_per_weight() const;  // 0 without parameters
};

/// The tensors of one type.
struct TypeCensus {
  gguf::TensorType type;
  TensorSums sums;
  /// The kernels that would run products with it, for few rows and for many; empty where there are none.
  std::string_view few, many;
};

struct Census {
  std::vector<TypeCensus> types;  // those with most bytes first
  TensorSums all;
};
/// Kernels are chosen among `features`.
Census take_census(const gguf::ModelFiles& files, cpu::Features features);

}  // namespace armature::tools
