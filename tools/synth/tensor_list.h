#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gguf/types.h"
#include "tools/synth/shapes.h"

namespace armature::tools::synth {

/// What a tensor of a synthetic model holds.
enum class Contents : std::uint8_t {
  Matrix,  // weights whose root of the mean square is 1 / sqrt(columns), so that products keep their size
  Norm,    // about 1
  Bias,    // about 0
  RopeFactors,  // Llama 3.1's
};

struct Tensor {
  std::string name;
  std::vector<std::uint64_t> shape;  // outermost first
  gguf::TensorType type;
  Contents contents;

  std::uint64_t count() const;
  std::uint64_t bytes() const;
};

/// The tensors of a model of this shape in the order of the file. Matrices have the type, but: the output
/// matrix, or the embedding where there is none, has the type's `output`; rows that are no whole blocks have
/// its substitute; vectors are F32.
std::vector<Tensor> list_tensors(const Shape& shape, gguf::TensorType type, std::uint32_t n_layer);

/// A type in place of another one, whose blocks the rows of some tensors do not fill.
struct Substitution {
  gguf::TensorType wanted, used;
  std::uint64_t columns;  // of the tensors
  std::size_t n_tensors;
};
std::vector<Substitution> substitutions(const Shape& shape, gguf::TensorType type,
                                        const std::vector<Tensor>& tensors);

}  // namespace armature::tools::synth
