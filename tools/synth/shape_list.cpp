#include "tools/synth/shape_list.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "gguf/compose.h"
#include "tools/cli/columns.h"
#include "tools/cli/units.h"
#include "tools/synth/tensor_list.h"
#include "tools/synth/weight_types.h"

namespace armature::tools::synth {
namespace {

using gguf::TensorType;

constexpr TensorType kUsual[] = {TensorType::F16,  TensorType::Q8_0, TensorType::Q6_K, TensorType::Q5_K,
                                 TensorType::Q4_K, TensorType::Q4_0, TensorType::Q3_K, TensorType::Q2_K};

std::uint64_t bytes_of(const std::vector<Tensor>& tensors) {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : tensors) sum += tensor.bytes();
  return sum;
}

std::uint64_t weights_of(const Shape& shape) {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : list_tensors(shape, TensorType::F16, shape.n_layer)) sum += tensor.count();
  return sum;
}

std::string other_types() {
  std::string names;
  for (const WeightType& row : weight_types()) {
    if (std::find(std::begin(kUsual), std::end(kUsual), row.type) != std::end(kUsual)) continue;
    names += compose(" {}", gguf::type_info(row.type).name);
  }
  return names;
}

}  // namespace

std::string shape_list() {
  Columns table("llrrrrrrrrrr");
  std::vector<std::string> heading = {"shape", "architecture", "layers", "weights"};
  for (const TensorType type : kUsual) heading.emplace_back(gguf::type_info(type).name);
  table.add(heading);
  for (const Shape& shape : shapes()) {
    std::vector<std::string> row = {std::string(shape.name), std::string(shape.architecture),
                                    std::to_string(shape.n_layer), count_text(weights_of(shape))};
    for (const TensorType type : kUsual)
      row.push_back(size_text(bytes_of(list_tensors(shape, type, shape.n_layer))));
    table.add(row);
  }
  return compose("{}other types:{}; armature synth --list SHAPE has the bytes of all\n", table.text(),
                 other_types());
}

std::string type_list(const Shape& shape) {
  Columns table("lrrl");
  for (const WeightType& row : weight_types()) {
    const std::vector<Tensor> tensors = list_tensors(shape, row.type, shape.n_layer);
    const std::uint64_t bytes = bytes_of(tensors);
    std::string replaced;
    for (const Substitution& s : substitutions(shape, row.type, tensors)) {
      replaced += compose("{}{} x {} for {}", replaced.empty() ? "" : ", ", s.n_tensors,
                          gguf::type_info(s.used).name, gguf::type_info(s.wanted).name);
    }
    table.add({std::string(gguf::type_info(row.type).name), size_text(bytes), compose("{} bytes", bytes),
               replaced});
  }
  return table.text();
}

}  // namespace armature::tools::synth
