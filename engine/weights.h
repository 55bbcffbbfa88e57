#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/config.h"
#include "gguf/model_files.h"
#include "kernels/kernels.h"

namespace armature {

/// A weight matrix [n, k] where it lies in the file, a tensor or rows of one, and the kernels chosen for its
/// type.
struct Matrix {
  std::string name;  // of the tensor, e.g. "blk.3.attn_q.weight"
  gguf::TensorType type = gguf::TensorType::F32;
  const std::uint8_t* data = nullptr;
  std::size_t n = 0, k = 0;
  std::size_t stride = 0;                   // bytes from row to row
  std::vector<float> bias;                  // [n], or empty
  const kernels::MatmulRow* few = nullptr;  // for few rows of activations
  const kernels::PanelRow* many = nullptr;  // for many
};

struct LayerWeights {
  std::vector<float> attn_norm, ffn_norm;  // [n_embd]
  Matrix attn_q, attn_k, attn_v, attn_output;
  Matrix ffn_gate, ffn_up, ffn_down;

  std::array<const Matrix*, 7> matrices() const {
    return {&attn_q, &attn_k, &attn_v, &attn_output, &ffn_gate, &ffn_up, &ffn_down};
  }
};

/// All tensors of a model, bound and checked. Matrices point into the file; norms and biases are copied (they
/// are small, and the file need not align them).
struct Weights {
  Matrix token_embd;
  const kernels::DequantizeRow* embed = nullptr;  // for rows of token_embd
  std::vector<float> output_norm;
  Matrix output;  // token_embd itself where the file has no output.weight ("tied")
  std::vector<LayerWeights> layers;
  std::vector<float> rope_freqs, rope_factors_short, rope_factors_long;  // [n_rot / 2] each, or empty
  std::size_t n_unused = 0;  // tensors of the file that no layer uses
};

/// Finds every tensor of the architecture's list, checks its shape and type, and chooses kernels among
/// `features`. Throws Error: missing_tensor, wrong_shape, wrong_tensor_type, bad_tensor_type (place: the
/// tensor).
Weights bind_weights(const gguf::ModelFiles& files, const ModelConfig& config, cpu::Features features);
/// Only looks: each fault is appended to `faults`, and no weights are read. In the result the vectors are
/// empty, and matrices at fault have no kernels.
Weights check_weights(const gguf::ModelFiles& files, const ModelConfig& config, cpu::Features features,
                      std::vector<Error>& faults);

}  // namespace armature
