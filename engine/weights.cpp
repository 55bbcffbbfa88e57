#include "engine/weights.h"

#include <cstring>

namespace armature {

namespace {

using gguf::TensorType;

/// Finds tensors by name, checks them, and counts what was used.
class Binder {
 public:
  /// With `faults` nothing is thrown but put there, and no weights are read.
  Binder(const gguf::ModelFiles& files, cpu::Features features, std::vector<Error>* faults)
      : files_(files), features_(features), faults_(faults) {}

  bool has(const std::string& name) const { return files_.find_tensor(name).has_value(); }
  std::size_t n_used() const { return n_used_; }

  enum class Bias : std::uint8_t { WherePresent, Required };

  /// A required matrix [n, k] and its bias [n]. "name" is without ".weight".
  Matrix linear(const std::string& name, std::size_t n, std::size_t k, Bias bias = Bias::WherePresent) {
    Matrix m = matrix(name, n, k);
    if (bias == Bias::Required || has(name + ".bias")) m.bias = vector(name + ".bias", n);
    return m;
  }

  /// The same without a bias.
  Matrix matrix(const std::string& name, std::size_t n, std::size_t k) {
    Matrix m;
    m.name = name + ".weight";
    attempt([&] {
      const gguf::ModelFiles::Found at = require(m.name, {n, k});
      check_matrix_type(at);
      m.type = at.tensor->type;
      m.data = reinterpret_cast<const std::uint8_t*>(at.tensor->data);
      m.n = n;
      m.k = k;
      m.stride = gguf::row_bytes(m.type, k);
      m.few = &kernels::choose_matmul(m.type, features_);
      m.many = &kernels::choose_panel(m.type, features_);
    });
    return m;
  }

  /// A required F32 tensor of n values, copied.
  std::vector<float> vector(const std::string& name, std::size_t n) {
    std::vector<float> values;
    attempt([&] {
      const gguf::ModelFiles::Found at = require(name, {n});
      if (at.tensor->type != TensorType::F32) {
        throw files_.error(ErrorCode::wrong_tensor_type, at,
                           "type " + std::string(gguf::type_info(at.tensor->type).name) + "; F32 is needed");
      }
      if (faults_ != nullptr) return;
      values.resize(n);
      std::memcpy(values.data(), at.tensor->data, n * sizeof(float));
    });
    return values;
  }

  std::vector<float> optional_vector(const std::string& name, std::size_t n) {
    return has(name) ? vector(name, n) : std::vector<float>();
  }

  /// Does what may throw, or keeps its Error with the others.
  template <class Step>
  void attempt(Step step) {
    if (faults_ == nullptr) return step();
    try {
      step();
    } catch (const Error& error) {
      faults_->push_back(error);
    }
  }

  Error missing(const std::string& name, const std::string& problem) const {
    return Error(ErrorCode::missing_tensor, {files_.metadata().file(), {}, "tensor " + quote(name)}, problem);
  }

 private:
  static std::string text(std::span<const std::uint64_t> shape) {
    std::string s = "[";
    for (const std::uint64_t d : shape) s += (s.size() > 1 ? ", " : "") + std::to_string(d);
    return s + "]";
  }

  /// `shape` is outermost first; leading dimensions of 1 in the file do not matter.
  gguf::ModelFiles::Found require(const std::string& name, std::vector<std::uint64_t> shape) {
    const auto at = files_.find_tensor(name);
    if (!at) throw missing(name, "the tensor is missing; shape " + text(shape) + " is needed");
    std::span<const std::uint64_t> found(at->tensor->shape.data(), at->tensor->n_dims);
    while (found.size() > shape.size() && found.front() == 1) found = found.subspan(1);
    if (!std::equal(found.begin(), found.end(), shape.begin(), shape.end())) {
      throw files_.error(ErrorCode::wrong_shape, *at,
                         "shape " + text(found) + "; " + text(shape) + " is needed");
    }
    ++n_used_;
    return *at;
  }

  void check_matrix_type(const gguf::ModelFiles::Found& at) const {
    const TensorType type = at.tensor->type;
    if (kernels::supports(type)) return;
    const std::string name(gguf::type_info(type).name);
    switch (type) {
      case TensorType::I8:
      case TensorType::I16:
      case TensorType::I32:
      case TensorType::I64:
      case TensorType::F64:
        throw files_.error(ErrorCode::wrong_tensor_type, at, "type " + name + " is none for weights");
      default:
        throw files_.error(ErrorCode::bad_tensor_type, at,
                           "type " + name + " is not supported; supported are " + supported());
    }
  }

  static std::string supported() {
    std::string list;
    for (const kernels::DequantizeRow& row : kernels::dequantize_rows()) {
      if (row.needs != cpu::kNone) continue;
      list += (list.empty() ? "" : ", ") + std::string(gguf::type_info(row.weights).name);
    }
    return list;
  }

  const gguf::ModelFiles& files_;
  cpu::Features features_;
  std::vector<Error>* faults_;
  std::size_t n_used_ = 0;
};

/// Rows [first, first + n) of a matrix, where they lie, and their part of the bias.
Matrix part(const Matrix& whole, std::size_t first, std::size_t n) {
  Matrix m = whole;
  m.data += first * whole.stride;
  m.n = n;
  if (!whole.bias.empty()) {
    const auto begin = whole.bias.begin() + static_cast<std::ptrdiff_t>(first);
    m.bias.assign(begin, begin + static_cast<std::ptrdiff_t>(n));
  }
  return m;
}

/// q, k and v: three tensors, or attn_qkv, which holds the rows of the three.
void bind_qkv(Binder& bind, const ModelConfig& c, std::size_t layer, const std::string& prefix,
              LayerWeights& w) {
  const std::size_t q = c.n_head[layer] * c.head_dim_k, k = c.n_head_kv[layer] * c.head_dim_k;
  const std::size_t v = c.n_head_kv[layer] * c.head_dim_v;
  const Binder::Bias bias = c.qkv_bias ? Binder::Bias::Required : Binder::Bias::WherePresent;
  const std::string fused = prefix + "attn_qkv.weight", first = prefix + "attn_q.weight";
  if (bind.has(fused)) {
    const Matrix qkv = bind.linear(prefix + "attn_qkv", q + k + v, c.n_embd, bias);
    w.attn_q = part(qkv, 0, q);
    w.attn_k = part(qkv, q, k);
    w.attn_v = part(qkv, q + k, v);
    return;
  }
  if (!bind.has(first)) throw bind.missing(first, "neither it nor " + quote(fused) + " is there");
  w.attn_q = bind.linear(prefix + "attn_q", q, c.n_embd, bias);
  w.attn_k = bind.linear(prefix + "attn_k", k, c.n_embd, bias);
  w.attn_v = bind.linear(prefix + "attn_v", v, c.n_embd, bias);
}

void bind_ffn(Binder& bind, const ModelConfig& c, std::size_t layer, const std::string& prefix,
              LayerWeights& w) {
  const std::size_t n_ff = c.n_ff[layer];
  w.ffn_norm = bind.vector(prefix + "ffn_norm.weight", c.n_embd);
  if (c.gate_in_up) {
    const Matrix both = bind.linear(prefix + "ffn_up", 2 * n_ff, c.n_embd);
    w.ffn_gate = part(both, 0, n_ff);
    w.ffn_up = part(both, n_ff, n_ff);
  } else {
    w.ffn_gate = bind.linear(prefix + "ffn_gate", n_ff, c.n_embd);
    w.ffn_up = bind.linear(prefix + "ffn_up", n_ff, c.n_embd);
  }
  w.ffn_down = bind.linear(prefix + "ffn_down", c.n_embd, n_ff);
}

LayerWeights bind_layer(Binder& bind, const ModelConfig& c, std::size_t layer) {
  const std::string prefix = "blk." + std::to_string(layer) + ".";
  LayerWeights w;
  w.attn_norm = bind.vector(prefix + "attn_norm.weight", c.n_embd);
  bind.attempt([&] { bind_qkv(bind, c, layer, prefix, w); });
  w.attn_output = bind.linear(prefix + "attn_output", c.n_embd, c.n_head[layer] * c.head_dim_v);
  bind_ffn(bind, c, layer, prefix, w);
  return w;
}

void bind_rope(Binder& bind, const ModelConfig& c, Weights& w) {
  const std::string short_name = "rope_factors_short.weight", long_name = "rope_factors_long.weight";
  w.rope_freqs = bind.optional_vector("rope_freqs.weight", c.n_rot / 2);
  const bool present = bind.has(short_name) || bind.has(long_name);
  const RopeScaling& s = c.rope_scaling;
  if (s.kind == RopeScaling::Kind::LongRope || (s.factors_where_present && present)) {
    w.rope_factors_short = bind.vector(short_name, c.n_rot / 2);
    w.rope_factors_long = bind.vector(long_name, c.n_rot / 2);
  }
}

Weights bind_all(const gguf::ModelFiles& files, const ModelConfig& c, cpu::Features features,
                 std::vector<Error>* faults) {
  Binder bind(files, features, faults);
  Weights w;
  w.token_embd = bind.matrix("token_embd", c.n_vocab, c.n_embd);
  w.embed = &kernels::choose_dequantize(w.token_embd.type, features);
  for (std::size_t i = 0; i < c.n_layer; ++i) w.layers.push_back(bind_layer(bind, c, i));
  w.output_norm = bind.vector("output_norm.weight", c.n_embd);
  w.output = bind.has("output.weight") ? bind.matrix("output", c.n_vocab, c.n_embd) : w.token_embd;
  w.output.bias = bind.optional_vector("output.bias", c.n_vocab);
  bind_rope(bind, c, w);
  w.n_unused = files.n_tensors() - bind.n_used();
  return w;
}

}  // namespace

Weights bind_weights(const gguf::ModelFiles& files, const ModelConfig& config, cpu::Features features) {
  return bind_all(files, config, features, nullptr);
}

Weights check_weights(const gguf::ModelFiles& files, const ModelConfig& config, cpu::Features features,
                      std::vector<Error>& faults) {
  return bind_all(files, config, features, &faults);
}

}  // namespace armature
