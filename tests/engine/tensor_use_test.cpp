#include <gtest/gtest.h>

#include "tests/engine/reference.h"
#include "tests/support/tiny_model.h"

/// Which tensors of a file are used: fused ones in place of their parts, and biases.
namespace armature::test {
namespace {

const TinyConfig kConfig = {.n_embd = 48, .n_head = 3, .n_head_kv = 3, .n_ff = 80};

std::shared_ptr<const Model> load(const Bytes& file) { return Model::load(file, "tiny.gguf"); }

std::vector<float> logits_of(const TinyModel& model, std::size_t n_tokens = 7) {
  const Bytes file = model.bytes();
  DecoderOptions options;
  options.n_ctx = 64;
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < n_tokens; ++i) tokens.push_back(static_cast<TokenId>(3 + i * 7 % 50));
  return all_logits(load(file), options, tokens);
}

TinyModel& add_qkv_biases(TinyModel& model) {
  for (const char* block : {"blk.0.", "blk.1."}) {
    for (const char* matrix : {"attn_q", "attn_k", "attn_v"}) {
      model.add_tensor(block + std::string(matrix) + ".bias", {48});
    }
  }
  return model;
}

void fuse_qkv(TinyModel& model, const std::string& ending) {
  for (const std::string block : {"blk.0.", "blk.1."}) {
    model.stack(block + "attn_qkv" + ending,
                {block + "attn_q" + ending, block + "attn_k" + ending, block + "attn_v" + ending});
  }
}

TEST(TensorUse, FusedQkvGivesTheBitsOfItsParts) {
  for (const char* architecture : {"llama", "mistral3", "phi3", "qwen2"}) {
    TinyConfig config = kConfig;
    config.architecture = architecture;
    TinyModel parts(config);
    add_qkv_biases(parts);
    if (config.architecture == "phi3") {
      for (const std::string block : {"blk.0.", "blk.1."})
        parts.stack(block + "ffn_up.weight", {block + "ffn_gate.weight", block + "ffn_up.weight"});
    }
    TinyModel fused = parts;
    fuse_qkv(fused, ".weight");
    fuse_qkv(fused, ".bias");
    EXPECT_EQ(logits_of(fused), logits_of(parts)) << architecture;
  }
}

/// RoPE does nothing at position 0, so what is left between phi3 and llama is the layout of the tensors.
TEST(TensorUse, Phi3BlockIsThatOfLlama) {
  TinyModel llama(kConfig), phi3 = as_phi3(llama);
  for (const std::string block : {"blk.0.", "blk.1."}) {
    for (const char* matrix : {"ffn_gate", "ffn_up"}) llama.add_tensor(block + matrix + ".bias", {80});
    phi3.set_tensor(block + "ffn_gate.bias", {80}, gguf::TensorType::F32,
                    llama.tensor(block + "ffn_gate.bias").data);
    phi3.set_tensor(block + "ffn_up.bias", {80}, gguf::TensorType::F32,
                    llama.tensor(block + "ffn_up.bias").data);
    phi3.stack(block + "ffn_up.bias", {block + "ffn_gate.bias", block + "ffn_up.bias"});
  }
  EXPECT_EQ(logits_of(phi3, 1), logits_of(llama, 1));
}

TEST(TensorUse, FusedMatricesAreReadWhereTheyLie) {
  const TinyModel model = as_phi3(TinyModel(kConfig));
  const Bytes file = model.bytes();
  const auto loaded = load(file);
  for (const LayerWeights& w : loaded->weights().layers) {
    for (const Matrix* m : w.matrices()) {
      const auto* data = reinterpret_cast<const std::byte*>(m->data);
      EXPECT_TRUE(data >= file.data() && data + m->n * m->stride <= file.data() + file.size()) << m->name;
    }
  }
}

TEST(TensorUse, WithFusedTensorsThePartsAreNotUsed) {
  TinyModel model(kConfig);
  const TinyModel parts = model;
  fuse_qkv(model, ".weight");
  const std::vector<float> want = logits_of(model);
  model.add_tensor("blk.0.attn_q.weight", {48, 48});
  EXPECT_EQ(logits_of(model), want);
  const Bytes file = model.bytes();
  ASSERT_EQ(load(file)->warnings().size(), 1u);
  EXPECT_NE(load(file)->warnings()[0].find("1 tensor is not used"), std::string::npos);
}

/// qwen2 files have biases on q, k and v; those of other matrices are added all the same, since nothing but a
/// bias has such a name. Position 0, as above.
TEST(TensorUse, BiasesBesideAnyMatrixAreAdded) {
  TinyConfig config = kConfig;
  TinyModel llama(config);
  add_qkv_biases(llama);
  const std::vector<float> plain = logits_of(llama, 1);
  for (const std::string block : {"blk.0.", "blk.1."}) {
    llama.add_tensor(block + "attn_output.bias", {48}).add_tensor(block + "ffn_gate.bias", {80});
    llama.add_tensor(block + "ffn_up.bias", {80}).add_tensor(block + "ffn_down.bias", {48});
  }
  config.architecture = "qwen2";
  TinyModel qwen2(config);
  qwen2.tensors = llama.tensors;
  EXPECT_EQ(logits_of(qwen2, 1), logits_of(llama, 1));
  EXPECT_NE(logits_of(qwen2, 1), plain);
  const Bytes file = qwen2.bytes();
  EXPECT_EQ(load(file)->warnings(), std::vector<std::string>());
}

TEST(TensorUse, BiasOfTheOutputIsAddedTiedOrNot) {
  for (const bool tied : {false, true}) {
    TinyModel model(kConfig);
    if (tied) model.erase_tensor("output.weight");
    const std::vector<float> before = logits_of(model, 1);
    std::vector<float> bias(64);
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i) - 20;
    model.set_tensor("output.bias", {64}, gguf::TensorType::F32, to_bytes(std::span<const float>(bias)));
    const std::vector<float> after = logits_of(model, 1);
    for (std::size_t i = 0; i < bias.size(); ++i)
      EXPECT_EQ(after[i], before[i] + bias[i]) << tied << " " << i;
  }
}

/// The embedding is looked up, not multiplied with; tied, it must not bring a bias to the logits.
TEST(TensorUse, ABiasOfTheEmbeddingIsNotUsed) {
  TinyModel model(kConfig);
  model.erase_tensor("output.weight");
  const std::vector<float> want = logits_of(model);
  model.add_tensor("token_embd.bias", {64});
  EXPECT_EQ(logits_of(model), want);
  const Bytes file = model.bytes();
  EXPECT_EQ(load(file)->warnings().size(), 1u);
}

}  // namespace
}  // namespace armature::test
