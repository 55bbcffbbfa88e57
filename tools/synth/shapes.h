#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace armature::tools::synth {

/// What differs between the tensors and keys of architectures.
struct Traits {
  bool fused = false;       // attn_qkv, and an ffn_up that begins with the gate
  bool qkv_bias = false;    // attn_q.bias, attn_k.bias, attn_v.bias
  bool qk_norms = false;    // attn_q_norm, attn_k_norm: over the head
  bool post_norms = false;  // post_attention_norm, post_ffw_norm
};

struct ControlToken {
  std::uint32_t id;
  std::string_view text;
};

/// The splitting rule and the control tokens that matter most, as published.
struct TokenFacts {
  std::string_view pre;  // tokenizer.ggml.pre
  std::uint32_t bos, eos;
  bool add_bos;
  std::span<const ControlToken> controls;  // by id; bos and eos are among them
};

/// A model as its makers have published it: hyperparameters without weights.
struct Shape {
  std::string_view name, architecture;
  std::uint32_t n_embd, n_ff, n_layer, n_head, n_head_kv, head_dim, n_vocab;
  double rope_base;
  bool tied;  // no output matrix of its own
  std::uint32_t n_ctx;
  double norm_eps;
  TokenFacts tokens;
  std::uint32_t n_swa = 0;      // attention.sliding_window; 0: no such key
  double attn_softcap = 0;      // attn_logit_softcapping; 0: no such key
  double final_softcap = 0;     // final_logit_softcapping
  double rope_factor = 0;       // Llama 3.1's scaling by the tensor rope_freqs; 0: none
  double rope_linear = 0;       // rope.scaling.factor of type linear; 0: none
  double rope_base_swa = 0;     // rope.freq_base_swa, of layers with a window; 0: no such key
  std::string_view alias = {};  // another name

  const Traits& traits() const;
};

std::span<const Shape> shapes();
/// By name or alias, in any case. Throws UsageError, which lists the names and the nearest.
const Shape& find_shape(std::string_view name);

}  // namespace armature::tools::synth
