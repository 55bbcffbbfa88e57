#include <cmath>

#include "engine/models/registry.h"

namespace armature {

/// Ministral 3: the llama block, yarn with betas and a log multiplier of the file's own, and queries that
/// grow with the logarithm of their position.
ModelConfig read_mistral3(const gguf::Metadata& metadata) {
  ModelConfig c = read_common_config(metadata, "mistral3");
  c.rope_pairs = kernels::RopePairs::Adjacent;
  const auto finite_or = [&](const char* key, double absent) {
    const double value = metadata.find_float(key).value_or(absent);
    if (!std::isfinite(value)) throw metadata.error(ErrorCode::bad_value, key, "not finite");
    return value;
  };
  c.rope_scaling.beta_fast = finite_or("mistral3.rope.scaling.yarn_beta_fast", 32.0);
  c.rope_scaling.beta_slow = finite_or("mistral3.rope.scaling.yarn_beta_slow", 1.0);
  c.rope_scaling.log_multiplier = finite_or("mistral3.rope.scaling.yarn_log_multiplier", 0.0);
  c.temperature_scale = finite_or("mistral3.attention.temperature_scale", 0.0);
  return c;
}

}  // namespace armature
