#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gguf/metadata.h"
#include "kernels/kernels.h"

namespace armature {

/// How RoPE angles are stretched beyond the context that the model was trained on; engine/rope.h has the
/// formulas.
struct RopeScaling {
  enum class Kind : std::uint8_t { None, Linear, Yarn, LongRope };
  Kind kind = Kind::Linear;
  double factor = 1.0;             // rope.scaling.factor; 1 leaves the angles alone
  std::size_t n_ctx_original = 0;  // rope.scaling.original_context_length
  double attn_factor = 1.0;        // rope.scaling.attn_factor: scales cos and sin
  double beta_fast = 32.0;         // yarn: turns over n_ctx_original above which a pair is left alone
  double beta_slow = 1.0;          // yarn: turns below which a pair is stretched in full
  double log_multiplier = 0.0;     // yarn: rope.scaling.yarn_log_multiplier
  /// The longrope tensors are used where the file has them; else only if rope.scaling.type says longrope.
  bool factors_where_present = false;
};

/// Every hyperparameter of a model; keys are those of GGUF after "{arch}.".
struct ModelConfig {
  std::string architecture;     // general.architecture
  std::size_t n_vocab = 0;      // vocab_size, or the number of tokens
  std::size_t n_ctx_train = 0;  // context_length
  std::size_t n_embd = 0;       // embedding_length
  std::size_t n_layer = 0;      // block_count

  // One value per layer; files may hold one for all.
  std::vector<std::uint32_t> n_head;     // attention.head_count
  std::vector<std::uint32_t> n_head_kv;  // attention.head_count_kv
  std::vector<std::uint32_t> n_ff;       // feed_forward_length
  std::vector<std::uint32_t> n_swa;      // positions that a query sees, its own and those before; 0: all

  std::size_t head_dim_k = 0;  // attention.key_length, else n_embd / n_head
  std::size_t head_dim_v = 0;  // attention.value_length
  std::size_t n_rot = 0;       // rope.dimension_count, else head_dim_k

  kernels::Norm norm = kernels::Norm::Rms;
  float norm_eps = 0.0f;  // attention.layer_norm_rms_epsilon
  kernels::Activation activation = kernels::Activation::Silu;

  kernels::RopePairs rope_pairs = kernels::RopePairs::Adjacent;
  double rope_base = 10000.0;  // rope.freq_base
  RopeScaling rope_scaling;

  /// attention.temperature_scale t: q is multiplied by 1 + t * ln(floor(pos / n_ctx_original) + 1); 0: not at
  /// all.
  double temperature_scale = 0.0;

  /// attn_q, attn_k and attn_v have biases. Any other bias is added where the file has it.
  bool qkv_bias = false;
  /// There is no ffn_gate: the first half of ffn_up's 2 n_ff rows is the gate.
  bool gate_in_up = false;

  float attention_scale() const;  // 1 / sqrt(head_dim_k)
};

/// Reads the keys that all architectures share and checks their ranges. Throws Error: missing_key,
/// wrong_key_type, bad_value (place: the key).
ModelConfig read_common_config(const gguf::Metadata& metadata, const std::string& architecture);

/// attention.sliding_window, for n_swa; 0 also when the key is absent. Throws Error: wrong_key_type,
/// bad_value.
std::uint32_t read_window(const gguf::Metadata& metadata, const std::string& architecture);

}  // namespace armature
