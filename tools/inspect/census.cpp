#include "tools/inspect/census.h"

#include <algorithm>
#include <map>

#include "kernels/kernels.h"

namespace armature::tools {

void TensorSums::add(const gguf::TensorInfo& tensor) {
  ++tensors;
  parameters += tensor.rows() * tensor.cols();
  bytes += tensor.size;
}

double TensorSums::bits_per_weight() const {
  return parameters == 0 ? 0.0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(parameters);
}

Census take_census(const gguf::ModelFiles& files, cpu::Features features) {
  Census census;
  std::map<gguf::TensorType, TensorSums> by_type;
  for (const gguf::File& file : files.files()) {
    for (const gguf::TensorInfo& tensor : file.tensors) {
      by_type[tensor.type].add(tensor);
      census.all.add(tensor);
    }
  }
  for (const auto& [type, sums] : by_type) {
    TypeCensus& row = census.types.emplace_back(TypeCensus{type, sums, {}, {}});
    if (!kernels::supports(type)) continue;
    row.few = kernels::choose_matmul(type, features).name;
    row.many = kernels::choose_panel(type, features).name;
  }
  std::stable_sort(census.types.begin(), census.types.end(),
                   [](const TypeCensus& a, const TypeCensus& b) { return a.sums.bytes > b.sums.bytes; });
  return census;
}

}  // namespace armature::tools
