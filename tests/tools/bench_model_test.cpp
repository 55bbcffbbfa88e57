// What records of bench say of a model.
#include <gtest/gtest.h>

#include "engine/model.h"
#include "tests/support/tiny_model.h"
#include "tools/bench/hash.h"
#include "tools/bench/model_name.h"
#include "tools/bench/random_tokens.h"
#include "tools/bench/traffic.h"

namespace armature::tools::bench {
namespace {

std::shared_ptr<const Model> load(const test::Bytes& bytes) { return Model::load(bytes, "tiny"); }

std::string name_of(ModelConfig config, const test::TinyModel& model) {
  const auto bytes = model.bytes();
  return model_name(config, gguf::ModelFiles::from_memory(bytes, "tiny"));
}

TEST(BenchModel, NamesAreThoseOfLlamaBench) {
  const auto of_type = [](std::uint32_t number) {
    return test::TinyModel().set("general.file_type", number);
  };
  ModelConfig config;
  config.architecture = "llama";
  config.n_layer = 32;
  config.n_vocab = 128256;
  EXPECT_EQ(name_of(config, of_type(15)), "llama 8B Q4_K - Medium");
  config.n_vocab = 32000;
  EXPECT_EQ(name_of(config, of_type(2)), "llama 7B Q4_0");
  config.n_vocab = 49152;
  EXPECT_EQ(name_of(config, of_type(0)), "llama 3B all F32");
  config.n_layer = 30;
  EXPECT_EQ(name_of(config, of_type(3)), "llama 256M Q4_1");
  config.n_layer = 80;
  config.n_head = {64};
  config.n_head_kv = {8};
  EXPECT_EQ(name_of(config, of_type(14)), "llama 70B Q4_K - Small");
  config.n_layer = 31;
  EXPECT_EQ(name_of(config, of_type(99)), "llama ?B unknown, may not work");
  config.architecture = "qwen2";
  config.n_layer = 28;
  config.n_embd = 1536;
  EXPECT_EQ(name_of(config, of_type(32)), "qwen2 1.5B BF16");
  config.architecture = "phi3";
  config.n_layer = 40;
  EXPECT_EQ(name_of(config, of_type(30)), "phi3 14B IQ4_XS - 4.25 bpw");
}

TEST(BenchModel, AFileThatDoesNotNameItsKind) {
  ModelConfig config;
  config.architecture = "llama";
  test::TinyModel model;
  EXPECT_EQ(name_of(config, model), "llama ?B (guessed) all F32");
  const auto with_types = [&](gguf::TensorType type, std::size_t block_bytes) {
    model.tensors.clear();
    model.tensors.push_back(
        {"a", {1, 256}, type, test::Bytes(256 / gguf::type_info(type).block_size * block_bytes)});
    return name_of(config, model);
  };
  EXPECT_EQ(with_types(gguf::TensorType::Q4_K, 144), "llama ?B (guessed) Q4_K - Medium");
  EXPECT_EQ(with_types(gguf::TensorType::Q3_K, 110), "llama ?B (guessed) Q3_K - Medium");
  EXPECT_EQ(with_types(gguf::TensorType::Q8_0, 34), "llama ?B (guessed) Q8_0");
  EXPECT_EQ(with_types(gguf::TensorType::IQ4_NL, 18), "llama ?B (guessed) IQ4_NL - 4.5 bpw");
}

TEST(BenchModel, BytesAndProductsOfAToken) {
  const auto bytes = test::TinyModel().bytes();
  const auto model = load(bytes);
  const ModelConfig& config = model->config();
  std::uint64_t all = 0, matrices = 0;
  for (const gguf::TensorInfo& tensor : model->files().files().front().tensors) {
    all += tensor.size;
    if (tensor.n_dims == 2) matrices += tensor.rows() * tensor.cols();
  }
  const std::uint64_t table = config.n_vocab * config.n_embd;
  const bool tied = model->weights().output.data == model->weights().token_embd.data;
  const Traffic t = traffic(config, model->weights());
  EXPECT_EQ(t.weight_bytes, all - (tied ? 0 : table * 4) + config.n_embd * 4);
  EXPECT_EQ(t.output_products, table);
  EXPECT_EQ(t.layer_products, matrices - (tied ? 1 : 2) * table);
  EXPECT_EQ(t.products(10, 2), 10 * t.layer_products + 2 * table);
}

TEST(BenchModel, BytesOfKeysAndValues) {
  const auto bytes = test::TinyModel().bytes();
  const auto model = load(bytes);
  ModelConfig config = model->config();
  const auto layout = KvCache::layout(config, gguf::TensorType::F16, gguf::TensorType::F32);
  const std::uint64_t row = 2 * config.head_dim_k + 4 * config.head_dim_v;
  EXPECT_EQ(kv_bytes(config, layout, 0), config.n_layer * row);
  EXPECT_EQ(kv_bytes(config, layout, 9), 10 * config.n_layer * row);
  EXPECT_EQ(mean_kv_bytes(config, layout, 9, 3), static_cast<double>(11 * config.n_layer * row));
  config.n_swa[0] = 4;
  EXPECT_EQ(kv_bytes(config, layout, 9), (10 * (config.n_layer - 1) + 4) * row);
}

TEST(BenchModel, HashOfTheFile) {
  const auto hash = [](const test::TinyModel& model) {
    const auto bytes = model.bytes();
    return model_hash(gguf::ModelFiles::from_memory(bytes, "tiny"));
  };
  const std::string plain = hash(test::TinyModel());
  EXPECT_EQ(hash(test::TinyModel()), plain);
  EXPECT_NE(hash(test::TinyModel().set("general.name", std::string("x"))), plain);
  test::TinyModel other;
  other.tensors.back().data.front() ^= std::byte{1};
  EXPECT_NE(hash(other), plain);
}

TEST(BenchModel, HashFunction) {
  // Of the authors' test vectors.
  EXPECT_EQ(Fnv1a().text(), "cbf29ce484222325");
  Fnv1a a, foobar;
  a.add("a");
  foobar.add("foobar");
  EXPECT_EQ(a.text(), "af63dc4c8601ec8c");
  EXPECT_EQ(foobar.text(), "85944171f73967e8");
}

TEST(BenchModel, TokensAreTheSameEverywhere) {
  RandomTokens tokens(kTokenSeed, 49152);
  std::vector<std::int32_t> first;
  for (int i = 0; i < 4; ++i) first.push_back(static_cast<std::int32_t>(tokens.next()));
  EXPECT_EQ(first, (std::vector<std::int32_t>{36449, 7859, 13693, 16917}));
  RandomTokens two(1, 2);
  int ones = 0;
  for (int i = 0; i < 1000; ++i) ones += static_cast<std::int32_t>(two.next());
  EXPECT_NEAR(ones, 500, 60);
}

}  // namespace
}  // namespace armature::tools::bench
