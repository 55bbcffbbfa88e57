#include "tests/support/tiny_model.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "gguf/writer.h"

namespace armature::test {
namespace {

// splitmix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// From -1 to 1 in steps of 2^-23, so exact in a float.
float next_weight(std::uint64_t& state) {
  return static_cast<float>(static_cast<std::int32_t>(next(state) >> 40) - (1 << 23)) / float(1 << 23);
}

Bytes random_weights(std::uint64_t& state, std::uint64_t count, float center, float spread) {
  std::vector<float> weights(count);
  for (float& weight : weights) weight = center + spread * next_weight(state);
  return to_bytes(std::span<const float>(weights));
}

/// n SPM pieces: the special ones, single letters, joins of two that are there, then fillers.
std::vector<std::string> make_pieces(std::uint32_t n) {
  std::vector<std::string> pieces = {"<unk>", "<s>", "</s>", "\u2581"};
  for (char c = 'a'; c <= 'z'; ++c) pieces.emplace_back(1, c);
  for (char c : std::string_view(".,!?'0123456789")) pieces.emplace_back(1, c);
  for (const char* join :
       {"\u2581t", "he", "\u2581the", "ll", "hell", "hello", "\u2581hello", "in", "er", "\u2581a", "nd",
        "\u2581and", "on", "re", "\u2581s", "\u2581w", "or", "ld", "\u2581o"})
    pieces.emplace_back(join);
  while (pieces.size() < n) pieces.push_back("piece" + std::to_string(pieces.size()));
  pieces.resize(n);
  return pieces;
}

template <class Items>
auto find_named(Items& items, std::string_view name) {
  return std::find_if(items.begin(), items.end(), [name](const auto& item) { return item.name == name; });
}

template <class Items>
auto& get_named(Items& items, std::string_view name) {
  const auto at = find_named(items, name);
  if (at == items.end()) throw std::logic_error("TinyModel has no " + std::string(name));
  return *at;
}

}  // namespace

TinyModel::TinyModel(const TinyConfig& config) : random_(config.seed) {
  add_keys(config);
  add_tensors(config);
}

void TinyModel::add_keys(const TinyConfig& config) {
  const std::string prefix = config.architecture + ".";
  set("general.architecture", config.architecture);
  set("general.name", "tiny");
  set(prefix + "context_length", config.n_ctx);
  set(prefix + "embedding_length", config.n_embd);
  set(prefix + "block_count", config.n_layer);
  set(prefix + "feed_forward_length", config.n_ff);
  set(prefix + "attention.head_count", config.n_head);
  set(prefix + "attention.head_count_kv", config.n_head_kv);
  set(prefix + "attention.layer_norm_rms_epsilon", 1e-5f);
  set(prefix + "rope.dimension_count", config.n_embd / config.n_head);
  set(prefix + "rope.freq_base", 10000.0f);
  set(prefix + "vocab_size", config.n_vocab);

  std::vector<float> scores(config.n_vocab);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = i < 3 ? 0.0f : -static_cast<float>(i);
  std::vector<std::int32_t> types(config.n_vocab, 1);              // normal
  if (config.n_vocab >= 3) types[0] = 2, types[1] = types[2] = 3;  // unknown, control
  set("tokenizer.ggml.model", "llama");
  set_vocab(make_pieces(config.n_vocab), scores, types);
  set<std::uint32_t>("tokenizer.ggml.bos_token_id", 1);
  set<std::uint32_t>("tokenizer.ggml.eos_token_id", 2);
  set<std::uint32_t>("tokenizer.ggml.unknown_token_id", 0);
  set("tokenizer.ggml.add_bos_token", true);
  set("tokenizer.ggml.add_space_prefix", true);
}

void TinyModel::add_tensors(const TinyConfig& config) {
  const std::uint64_t head_dim = config.n_embd / config.n_head;
  const std::uint64_t n_q = head_dim * config.n_head;
  const std::uint64_t n_kv = head_dim * config.n_head_kv;
  add_tensor("token_embd.weight", {config.n_vocab, config.n_embd});
  add_tensor("output.weight", {config.n_vocab, config.n_embd});
  for (std::uint32_t layer = 0; layer < config.n_layer; ++layer) {
    const std::string block = "blk." + std::to_string(layer) + ".";
    add_tensor(block + "attn_norm.weight", {config.n_embd});
    add_tensor(block + "attn_q.weight", {n_q, config.n_embd});
    add_tensor(block + "attn_k.weight", {n_kv, config.n_embd});
    add_tensor(block + "attn_v.weight", {n_kv, config.n_embd});
    add_tensor(block + "attn_output.weight", {config.n_embd, n_q});
    add_tensor(block + "ffn_norm.weight", {config.n_embd});
    add_tensor(block + "ffn_gate.weight", {config.n_ff, config.n_embd});
    add_tensor(block + "ffn_up.weight", {config.n_ff, config.n_embd});
    add_tensor(block + "ffn_down.weight", {config.n_embd, config.n_ff});
  }
  add_tensor("output_norm.weight", {config.n_embd});
}

TinyModel& TinyModel::set_raw(std::string_view name, std::uint32_t type, Bytes value) {
  const auto at = find_named(keys, name);
  if (at == keys.end()) return insert_raw(keys.size(), name, type, std::move(value));
  at->type = type;
  at->value = std::move(value);
  return *this;
}

TinyModel& TinyModel::insert_raw(std::size_t index, std::string_view name, std::uint32_t type, Bytes value) {
  keys.insert(keys.begin() + static_cast<std::ptrdiff_t>(index), {std::string(name), type, std::move(value)});
  return *this;
}

TinyModel& TinyModel::erase_key(std::string_view name) {
  std::erase_if(keys, [name](const Key& key) { return key.name == name; });
  return *this;
}

TinyModel& TinyModel::set_vocab(const std::vector<std::string>& tokens, const std::vector<float>& scores,
                                const std::vector<std::int32_t>& types) {
  set("tokenizer.ggml.tokens", tokens);
  set("tokenizer.ggml.scores", scores);
  return set("tokenizer.ggml.token_type", types);
}

TinyModel::Key& TinyModel::key(std::string_view name) { return get_named(keys, name); }

TinyModel::Tensor& TinyModel::tensor(std::string_view name) { return get_named(tensors, name); }

TinyModel& TinyModel::add_tensor(std::string_view name, std::vector<std::uint64_t> shape) {
  std::uint64_t count = 1;
  for (std::uint64_t n : shape) count *= n;
  const bool is_norm = shape.size() == 1;
  const float spread = is_norm ? 0.1f : 1.0f / std::sqrt(static_cast<float>(shape.back()));
  Bytes data = random_weights(random_, count, is_norm ? 1.0f : 0.0f, spread);
  return set_tensor(name, std::move(shape), gguf::TensorType::F32, std::move(data));
}

TinyModel& TinyModel::set_tensor(std::string_view name, std::vector<std::uint64_t> shape,
                                 gguf::TensorType type, Bytes data) {
  const auto at = find_named(tensors, name);
  Tensor& target = at == tensors.end() ? tensors.emplace_back() : *at;
  target = {std::string(name), std::move(shape), type, std::move(data)};
  return *this;
}

TinyModel& TinyModel::set_weights(std::string_view name, std::span<const float> weights) {
  tensor(name).data = to_bytes(weights);
  return *this;
}

TinyModel& TinyModel::stack(std::string_view name, const std::vector<std::string>& parts) {
  Tensor whole = tensor(parts.front());
  whole.name = name;
  whole.shape[0] = 0;
  whole.data.clear();
  for (const std::string& part : parts) {
    const Tensor& t = tensor(part);
    whole.shape[0] += t.shape[0];
    whole.data.insert(whole.data.end(), t.data.begin(), t.data.end());
    erase_tensor(part);
  }
  tensors.push_back(std::move(whole));
  return *this;
}

TinyModel& TinyModel::erase_tensor(std::string_view name) {
  std::erase_if(tensors, [name](const Tensor& tensor) { return tensor.name == name; });
  return *this;
}

TinyModel as_phi3(TinyModel model) {
  constexpr std::string_view kOld = "llama.";
  model.set("general.architecture", "phi3");
  for (TinyModel::Key& key : model.keys) {
    if (key.name.starts_with(kOld)) key.name.replace(0, kOld.size(), "phi3.");
  }
  const auto n_layer = std::count_if(model.tensors.begin(), model.tensors.end(), [](const auto& tensor) {
    return tensor.name.ends_with("attn_q.weight");
  });
  for (std::ptrdiff_t i = 0; i < n_layer; ++i) {
    const std::string block = "blk." + std::to_string(i) + ".";
    model.stack(block + "attn_qkv.weight",
                {block + "attn_q.weight", block + "attn_k.weight", block + "attn_v.weight"});
    model.stack(block + "ffn_up.weight", {block + "ffn_gate.weight", block + "ffn_up.weight"});
  }
  return model;
}

Bytes TinyModel::bytes() const {
  gguf::Writer writer(version, alignment);
  for (const Key& key : keys) writer.add_raw(key.name, key.type, key.value);
  for (const Tensor& tensor : tensors) writer.add_tensor(tensor.name, tensor.shape, tensor.type, tensor.data);
  return writer.bytes();
}

}  // namespace armature::test
