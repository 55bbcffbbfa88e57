#include "tools/synth/tensor_list.h"

#include <cassert>
#include <map>
#include <utility>

#include "tools/synth/weight_types.h"

namespace armature::tools::synth {
namespace {

using gguf::TensorType;

class Lister {
 public:
  Lister(const Shape& shape, TensorType type) : s_(shape), type_(type) {}

  std::vector<Tensor> list(std::uint32_t n_layer) {
    const TensorType output = weight_type(type_).output;
    matrix("token_embd", s_.n_vocab, s_.n_embd, s_.tied ? output : type_);
    for (std::uint32_t i = 0; i < n_layer; ++i) layer("blk." + std::to_string(i) + ".");
    vector("output_norm.weight", s_.n_embd, Contents::Norm);
    if (!s_.tied) matrix("output", s_.n_vocab, s_.n_embd, output);
    if (s_.rope_factor != 0) vector("rope_freqs.weight", s_.head_dim / 2, Contents::RopeFactors);
    return std::move(tensors_);
  }

 private:
  void layer(const std::string& block) {
    const Traits& traits = s_.traits();
    vector(block + "attn_norm.weight", s_.n_embd, Contents::Norm);
    attention(block, traits);
    if (traits.post_norms) vector(block + "post_attention_norm.weight", s_.n_embd, Contents::Norm);
    vector(block + "ffn_norm.weight", s_.n_embd, Contents::Norm);
    if (!traits.fused) matrix(block + "ffn_gate", s_.n_ff, s_.n_embd, type_);
    matrix(block + "ffn_up", traits.fused ? 2 * s_.n_ff : s_.n_ff, s_.n_embd, type_);
    matrix(block + "ffn_down", s_.n_embd, s_.n_ff, type_);
    if (traits.post_norms) vector(block + "post_ffw_norm.weight", s_.n_embd, Contents::Norm);
  }

  void attention(const std::string& block, const Traits& traits) {
    const std::uint64_t q = s_.n_head * s_.head_dim, kv = s_.n_head_kv * s_.head_dim;
    if (traits.fused) {
      matrix(block + "attn_qkv", q + 2 * kv, s_.n_embd, type_);
    } else {
      for (const auto& [name, rows] : {std::pair{"attn_q", q}, {"attn_k", kv}, {"attn_v", kv}}) {
        matrix(block + name, rows, s_.n_embd, type_);
        if (traits.qkv_bias) vector(block + name + ".bias", rows, Contents::Bias);
      }
    }
    if (traits.qk_norms) {
      vector(block + "attn_q_norm.weight", s_.head_dim, Contents::Norm);
      vector(block + "attn_k_norm.weight", s_.head_dim, Contents::Norm);
    }
    matrix(block + "attn_output", s_.n_embd, q, type_);
  }

  void matrix(const std::string& name, std::uint64_t rows, std::uint64_t cols, TensorType type) {
    if (cols % gguf::type_info(type).block_size != 0) type = weight_type(type).substitute;
    assert(cols % gguf::type_info(type).block_size == 0);
    tensors_.push_back({name + ".weight", {rows, cols}, type, Contents::Matrix});
  }

  void vector(const std::string& name, std::uint64_t n, Contents contents) {
    tensors_.push_back({name, {n}, TensorType::F32, contents});
  }

  const Shape& s_;
  TensorType type_;
  std::vector<Tensor> tensors_;
};

}  // namespace

std::uint64_t Tensor::count() const {
  std::uint64_t n = 1;
  for (const std::uint64_t dimension : shape) n *= dimension;
  return n;
}

std::uint64_t Tensor::bytes() const { return count() / shape.back() * gguf::row_bytes(type, shape.back()); }

std::vector<Tensor> list_tensors(const Shape& shape, TensorType type, std::uint32_t n_layer) {
  return Lister(shape, type).list(n_layer);
}

std::vector<Substitution> substitutions(const Shape& shape, TensorType type,
                                        const std::vector<Tensor>& tensors) {
  const std::string_view last = shape.tied ? "token_embd.weight" : "output.weight";
  std::map<std::pair<TensorType, std::uint64_t>, std::size_t> replaced;  // wanted type and columns
  for (const Tensor& tensor : tensors) {
    if (tensor.contents != Contents::Matrix) continue;
    const TensorType wanted = tensor.name == last ? weight_type(type).output : type;
    if (tensor.type != wanted) ++replaced[{wanted, tensor.shape.back()}];
  }
  std::vector<Substitution> list;
  for (const auto& [what, n] : replaced) {
    list.push_back({what.first, weight_type(what.first).substitute, what.second, n});
  }
  return list;
}

}  // namespace armature::tools::synth
