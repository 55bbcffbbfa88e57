#include "engine/models/registry.h"

namespace armature {

/// Qwen2 and Qwen2.5: the llama block with RoPE on half pairs and biases on q, k and v.
ModelConfig read_qwen2(const gguf::Metadata& metadata) {
  ModelConfig c = read_common_config(metadata, "qwen2");
  c.rope_pairs = kernels::RopePairs::Halves;
  c.qkv_bias = true;
  return c;
}

}  // namespace armature
