#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "gguf/types.h"
#include "tools/synth/tensor_list.h"

namespace armature::tools::synth {

/// The seed of all weights. It is a key of the files too: armature.synth.seed.
inline constexpr std::uint64_t kSeed = 7;

/// Makes the data of tensors. Matrices of one type and row length are cut from one pool of random blocks,
/// which is repeated: the number of its blocks is a prime, so that no row equals another one that is less
/// than a whole pool of rows away, and every matrix begins elsewhere in it.
class WeightSource {
 public:
  using Sink = std::function<bool(std::span<const std::byte>)>;

  explicit WeightSource(const Shape& shape) : shape_(shape) {}
  /// Gives the data of the tensor with this index to `sink`, until it returns false; so does this.
  bool write(const Tensor& tensor, std::size_t index, const Sink& sink);

 private:
  std::span<const std::byte> pool(gguf::TensorType type, std::uint64_t cols);
  bool write_matrix(const Tensor& tensor, std::size_t index, const Sink& sink);
  std::vector<float> vector(const Tensor& tensor, std::size_t index) const;

  const Shape& shape_;
  std::map<std::pair<gguf::TensorType, std::uint64_t>, std::vector<std::byte>> pools_;
};

}  // namespace armature::tools::synth
