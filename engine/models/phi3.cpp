#include "engine/models/registry.h"

namespace armature {

/// Phi-3 and Phi-4: the llama block with RoPE on half pairs, of which Phi-4-mini turns a part of each head
/// only. Fused tensors: attn_qkv, and an ffn_up that begins with the gate. Long contexts by the longrope
/// tensors, which no rope.scaling.type announces. The family was trained with its sliding window in every
/// layer.
ModelConfig read_phi3(const gguf::Metadata& metadata) {
  ModelConfig c = read_common_config(metadata, "phi3");
  c.rope_pairs = kernels::RopePairs::Halves;
  c.rope_scaling.factors_where_present = true;
  c.gate_in_up = true;
  c.n_swa.assign(c.n_layer, read_window(metadata, "phi3"));
  return c;
}

}  // namespace armature
