#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/types.h"
#include "tests/support/gguf_values.h"

namespace armature::test {

/// The hyperparameters of a TinyModel.
struct TinyConfig {
  std::string architecture = "llama";
  std::uint32_t n_layer = 2;
  std::uint32_t n_embd = 32;
  std::uint32_t n_head = 2;
  std::uint32_t n_head_kv = 1;
  std::uint32_t n_ff = 64;
  std::uint32_t n_ctx = 128;
  std::uint32_t n_vocab = 64;
  std::uint64_t seed = 1;  // of the weights
};

/// A small complete model in memory, to be changed in one thing and written as a GGUF file. The default is
/// the good file G of the tests: llama architecture, F32 weights that depend on the seed alone, and an SPM
/// vocabulary (<unk>, <s>, </s>, then pieces and no byte tokens). Nothing that is set is checked.
///
///   const Bytes file = TinyModel().set("llama.block_count", 3u).bytes();
class TinyModel {
 public:
  struct Key {
    std::string name;
    std::uint32_t type;  // the number in the file
    Bytes value;         // as it stands in the file, after the type
  };
  struct Tensor {
    std::string name;
    std::vector<std::uint64_t> shape;  // outermost first
    gguf::TensorType type;
    Bytes data;
  };

  explicit TinyModel(const TinyConfig& config = {});

  std::uint32_t version = 3;
  std::uint64_t alignment = 32;  // of the layout; the key general.alignment is set apart
  std::vector<Key> keys;         // in file order
  std::vector<Tensor> tensors;   // in file order, of the table and of the data

  /// Sets a key where it stands, or appends it. T: bool, an integer or float type of the format, a string, or
  /// a vector of these (std::vector<bool> included).
  template <class T>
  TinyModel& set(std::string_view name, T value);
  /// The same with a type number and bytes given, for what set() cannot say.
  TinyModel& set_raw(std::string_view name, std::uint32_t type, Bytes value);
  /// Inserts a key before the key with this index.
  TinyModel& insert_raw(std::size_t index, std::string_view name, std::uint32_t type, Bytes value);
  TinyModel& erase_key(std::string_view name);
  /// Replaces the SPM vocabulary; types are the numbers of tokenizer.ggml.token_type.
  TinyModel& set_vocab(const std::vector<std::string>& tokens, const std::vector<float>& scores,
                       const std::vector<std::int32_t>& types);

  /// The key or tensor with this name; it must be there.
  Key& key(std::string_view name);
  Tensor& tensor(std::string_view name);
  /// Appends an F32 tensor of pseudo-random weights, about 1 / sqrt(columns) in size.
  TinyModel& add_tensor(std::string_view name, std::vector<std::uint64_t> shape);
  /// Sets shape, type and bytes of a tensor, appending it if it is not there.
  TinyModel& set_tensor(std::string_view name, std::vector<std::uint64_t> shape, gguf::TensorType type,
                        Bytes data);
  /// Sets the weights of an F32 tensor that is there; as many as its shape says.
  TinyModel& set_weights(std::string_view name, std::span<const float> weights);
  /// Replaces tensors of one type and row length by one that holds the rows of all, in this order; `name` may
  /// be one of theirs.
  TinyModel& stack(std::string_view name, const std::vector<std::string>& parts);
  TinyModel& erase_tensor(std::string_view name);

  /// The GGUF file.
  Bytes bytes() const;

 private:
  void add_keys(const TinyConfig& config);
  void add_tensors(const TinyConfig& config);
  std::uint64_t random_;
};

/// A llama model as a file of phi3: keys renamed; attn_qkv and an ffn_up with the gate, in each layer. Its
/// RoPE then turns other pairs.
TinyModel as_phi3(TinyModel llama);

template <class T>
TinyModel& TinyModel::set(std::string_view name, T value) {
  const auto [type, bytes] = encode(value);
  return set_raw(name, type, bytes);
}

}  // namespace armature::test
