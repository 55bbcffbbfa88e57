#include "engine/config.h"

#include <cmath>

#include "gguf/compose.h"
namespace armature {

namespace {

// Limits beyond any known model; what lies above is a broken file.
constexpr std::uint64_t kMaxWidth = 1u << 20;  // heads, head size, n_embd, n_ff
constexpr std::uint64_t kMaxLayers = 1024;
constexpr std::uint64_t kMaxExperts = 1024;
constexpr std::uint64_t kMaxVocab = 1u << 22;
constexpr std::uint64_t kMaxContext = 0xffffffff;

/// The keys of one architecture: "{arch}.name".
class Keys {
 public:
  Keys(const gguf::Metadata& metadata, const std::string& architecture)
      : metadata_(metadata), prefix_(architecture + ".") {}

  std::string key(std::string_view name) const { return prefix_ + std::string(name); }
  const gguf::Metadata& metadata() const { return metadata_; }

  std::size_t require(std::string_view name, std::uint64_t low, std::uint64_t high) const {
    return metadata_.require_uint(key(name), low, high);
  }
  std::optional<std::size_t> find(std::string_view name, std::uint64_t low, std::uint64_t high) const {
    return metadata_.find_uint(key(name), low, high);
  }
  std::optional<double> find_float(std::string_view name) const { return metadata_.find_float(key(name)); }
  Error error(std::string_view name, std::string_view problem) const {
    return metadata_.error(ErrorCode::bad_value, key(name), problem);
  }

  /// One integer for all layers, or an array with one for each; nothing when absent.
  std::optional<std::vector<std::uint32_t>> find_per_layer(std::string_view name, std::size_t n_layer) const {
    const gguf::KeyValue* kv = metadata_.find(key(name));
    if (kv == nullptr) return std::nullopt;
    if (kv->type != gguf::ValueType::Array) {
      return std::vector<std::uint32_t>(n_layer, static_cast<std::uint32_t>(require(name, 1, kMaxWidth)));
    }
    const std::vector<std::int64_t> values = *metadata_.find_ints(key(name));
    if (values.size() != n_layer) {
      throw error(name, compose("{} values for {} layers", values.size(), n_layer));
    }
    std::vector<std::uint32_t> result;
    for (const std::int64_t v : values) {
      if (v < 1 || v > static_cast<std::int64_t>(kMaxWidth)) {
        throw error(name, compose("value {}; 1 to {} is allowed", v, kMaxWidth));
      }
      result.push_back(static_cast<std::uint32_t>(v));
    }
    return result;
  }

 private:
  const gguf::Metadata& metadata_;
  std::string prefix_;
};

double positive(const Keys& keys, std::string_view name, double absent) {
  const double value = keys.find_float(name).value_or(absent);
  if (!std::isfinite(value) || value <= 0) {
    throw keys.error(name, compose("value {}; a finite number above 0 is needed", value));
  }
  return value;
}

void read_experts(const Keys& keys) {
  const std::size_t n_expert = keys.find("expert_count", 0, kMaxExperts).value_or(0);
  const std::size_t n_used = keys.find("expert_used_count", 0, kMaxExperts).value_or(0);
  if (n_used > n_expert || (n_expert > 0 && n_used == 0)) {
    throw keys.error(
        "expert_used_count",
        compose("value {} of {} experts; at least 1 and at most all are needed", n_used, n_expert));
  }
  if (n_expert > 0) {
    throw keys.metadata().error(
        ErrorCode::unknown_architecture, keys.key("expert_count"),
        compose("architecture {} with {} experts is not supported; supported are dense models (no experts)",
                quote(keys.metadata().require_string("general.architecture")), n_expert));
  }
}

void read_heads(const Keys& keys, ModelConfig& c) {
  const auto n_head = keys.find_per_layer("attention.head_count", c.n_layer);
  if (!n_head) {
    throw keys.metadata().error(ErrorCode::missing_key, keys.key("attention.head_count"),
                                "missing; the model cannot be used without it");
  }
  c.n_head = *n_head;
  c.n_head_kv = keys.find_per_layer("attention.head_count_kv", c.n_layer).value_or(c.n_head);
  for (std::size_t i = 0; i < c.n_layer; ++i) {
    if (c.n_head[i] % c.n_head_kv[i] != 0) {
      throw keys.error("attention.head_count_kv", compose("value {} does not divide attention.head_count {}",
                                                          c.n_head_kv[i], c.n_head[i]));
    }
  }
  const auto key_length = keys.find("attention.key_length", 1, kMaxWidth);
  if (!key_length && c.n_embd % c.n_head[0] != 0) {
    throw keys.error("attention.head_count",
                     compose("value {} does not divide embedding_length {}", c.n_head[0], c.n_embd));
  }
  c.head_dim_k = key_length.value_or(c.n_embd / c.n_head[0]);
  c.head_dim_v =
      keys.find("attention.value_length", 1, kMaxWidth).value_or(key_length.value_or(c.n_embd / c.n_head[0]));
  c.n_rot = keys.find("rope.dimension_count", 0, kMaxWidth).value_or(c.head_dim_k);
  if (c.n_rot % 2 != 0 || c.n_rot < 2 || c.n_rot > c.head_dim_k) {
    throw keys.error(
        "rope.dimension_count",
        compose("value {}; an even number from 2 to the head size {} is needed", c.n_rot, c.head_dim_k));
  }
}

RopeScaling read_rope_scaling(const Keys& keys, const ModelConfig& c) {
  RopeScaling s;
  const std::string_view type = keys.metadata().find_string(keys.key("rope.scaling.type")).value_or("linear");
  if (type == "none") {
    s.kind = RopeScaling::Kind::None;
  } else if (type == "linear") {
    s.kind = RopeScaling::Kind::Linear;
  } else if (type == "yarn") {
    s.kind = RopeScaling::Kind::Yarn;
  } else if (type == "longrope") {
    s.kind = RopeScaling::Kind::LongRope;
  } else {
    throw keys.error("rope.scaling.type",
                     "type " + quote(type) + " is unknown; known are none, linear, yarn, longrope");
  }
  // Older files call the factor rope.scale_linear. Converters write 0 for "no scaling".
  const char* factor_key =
      keys.find_float("rope.scaling.factor") ? "rope.scaling.factor" : "rope.scale_linear";
  const double factor = keys.find_float(factor_key).value_or(1.0);
  if (!std::isfinite(factor) || factor < 0) {
    throw keys.error(factor_key, compose("value {}; a finite number above 0 is needed", factor));
  }
  s.factor = factor == 0 ? 1.0 : factor;
  s.n_ctx_original =
      keys.find("rope.scaling.original_context_length", 1, kMaxContext).value_or(c.n_ctx_train);
  s.attn_factor = positive(keys, "rope.scaling.attn_factor", 1.0);
  for (const char* name : {"rope.scaling.yarn_ext_factor", "rope.scaling.yarn_attn_factor"}) {
    const double value = keys.find_float(name).value_or(1.0);
    if (value != 1.0) {
      throw keys.error(name, compose("value {}; only 1 is supported", value));
    }
  }
  return s;
}

}  // namespace

float ModelConfig::attention_scale() const { return 1.0f / std::sqrt(static_cast<float>(head_dim_k)); }

ModelConfig read_common_config(const gguf::Metadata& metadata, const std::string& architecture) {
  const Keys keys(metadata, architecture);
  ModelConfig c;
  c.architecture = architecture;
  c.n_ctx_train = keys.require("context_length", 1, kMaxContext);
  c.n_embd = keys.require("embedding_length", 1, kMaxWidth);
  c.n_layer = keys.require("block_count", 1, kMaxLayers);
  const auto n_ff = keys.find_per_layer("feed_forward_length", c.n_layer);
  if (!n_ff)
    throw metadata.error(ErrorCode::missing_key, keys.key("feed_forward_length"),
                         "missing; the model cannot be used without it");
  c.n_ff = *n_ff;
  c.n_swa.assign(c.n_layer, 0);
  read_experts(keys);
  read_heads(keys, c);

  const char* eps_key = "attention.layer_norm_rms_epsilon";
  const double eps = metadata.require_float(keys.key(eps_key));
  if (!std::isfinite(eps) || eps <= 0) {
    throw keys.error(eps_key, compose("value {}; a finite number above 0 is needed", eps));
  }
  c.norm_eps = static_cast<float>(eps);

  c.rope_base = positive(keys, "rope.freq_base", 10000.0);
  c.rope_scaling = read_rope_scaling(keys, c);

  // Without a token list the vocabulary is at fault, and the tokenizer says so.
  const auto tokens = metadata.find_strings("tokenizer.ggml.tokens");
  const std::uint64_t n_tokens = tokens ? tokens->size() : 0;
  c.n_vocab = keys.find("vocab_size", 1, kMaxVocab).value_or(n_tokens);
  if (tokens && c.n_vocab != n_tokens) {
    throw metadata.error(ErrorCode::bad_vocab, keys.key("vocab_size"),
                         compose("value {}, but there are {} tokens", c.n_vocab, n_tokens));
  }
  return c;
}

std::uint32_t read_window(const gguf::Metadata& metadata, const std::string& architecture) {
  const Keys keys(metadata, architecture);
  return static_cast<std::uint32_t>(keys.find("attention.sliding_window", 0, kMaxContext).value_or(0));
}

}  // namespace armature
