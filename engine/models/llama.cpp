#include "engine/models/registry.h"
#include "gguf/compose.h"

namespace armature {

/// Llama 1 to 3.2, Mistral, SmolLM2 and the many that share their block: RMS norm, gated SiLU, RoPE on
/// adjacent pairs (the writers of these files have reordered the rows of q and k for it), whole heads turned.
ModelConfig read_llama(const gguf::Metadata& metadata) {
  ModelConfig c = read_common_config(metadata, "llama");
  c.rope_pairs = kernels::RopePairs::Adjacent;
  if (c.n_rot != c.head_dim_k) {
    throw metadata.error(
        ErrorCode::bad_value, "llama.rope.dimension_count",
        compose("value {}; the head size {} is needed for this architecture", c.n_rot, c.head_dim_k));
  }
  return c;
}

}  // namespace armature
