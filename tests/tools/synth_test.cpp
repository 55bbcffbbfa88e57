// Synthetic models: their bytes, what the engine makes of them, and `armature synth`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "engine/decoder.h"
#include "engine/models/registry.h"
#include "kernels/kernels.h"
#include "tools/cli/flags.h"
#include "tools/synth/synth_image.h"
#include "tools/synth/weight_types.h"

namespace armature::test {
namespace {

using gguf::TensorType;
using testing::HasSubstr;
using tools::UsageError;
namespace synth = tools::synth;

std::string name_of(TensorType type) { return std::string(gguf::type_info(type).name); }

/// FNV-1a, 64 bits.
std::uint64_t hash(const synth::SynthModel& model) {
  std::uint64_t h = 0xcbf29ce484222325;
  model.write([&h](std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3;
    return true;
  });
  return h;
}

synth::Choice tiny(TensorType type) { return {&synth::find_shape("tiny"), type, 1}; }

bool runs_here(const synth::Shape& shape) {
  const auto known = architectures();
  return std::any_of(known.begin(), known.end(),
                     [&shape](const Architecture& a) { return a.name == shape.architecture; });
}

/// The shape with all its layers, narrow and with few tokens.
synth::Shape narrow(const synth::Shape& shape) {
  static constexpr synth::ControlToken kControls[] = {{1, "<s>"}, {2, "</s>"}};
  synth::Shape s = shape;
  s.n_embd = 256;
  s.n_ff = 512;
  s.n_head = 8;
  s.n_head_kv = 2;
  s.head_dim = 32;
  s.n_vocab = 400;
  s.tokens = {s.tokens.pre, 1, 2, false, kControls};
  return s;
}

TEST(SynthModel, BytesAreTheSameEverywhere) {
  const std::pair<TensorType, std::uint64_t> expected[] = {
      {TensorType::F32, 0x220138268ce7e2f4},     {TensorType::F16, 0x25aec5edb14849db},
      {TensorType::BF16, 0x1565e2fc080dbb2a},    {TensorType::Q8_0, 0x9485c31b5190fa13},
      {TensorType::Q4_0, 0xee2e8b243cc08e37},    {TensorType::Q4_1, 0xdc220677dd104a73},
      {TensorType::Q5_0, 0x4b7cdb355ff83789},    {TensorType::Q5_1, 0xef167bf86f04561c},
      {TensorType::Q2_K, 0x9dfd8ba15fdab915},    {TensorType::Q3_K, 0x5a54fd517abd1a2a},
      {TensorType::Q4_K, 0xc39676fc49978aa0},    {TensorType::Q5_K, 0xf43bdd1d4678d719},
      {TensorType::Q6_K, 0x23816b5ea4c9153f},    {TensorType::IQ4_NL, 0x2e3e5225928f43eb},
      {TensorType::IQ4_XS, 0x1615282888889d6e},  {TensorType::IQ1_S, 0xba1fd7a2a0f073ae},
      {TensorType::IQ2_XXS, 0x6091c2e18fdee47b}, {TensorType::IQ2_XS, 0xe153598c8a9a9111},
      {TensorType::IQ2_S, 0x140d7ec8278d52d2},   {TensorType::IQ3_XXS, 0x704ca68cbb4dfe7b},
      {TensorType::IQ3_S, 0x4c458e707fae9515},   {TensorType::TQ1_0, 0x3fe9f8f73b1e8f00},
      {TensorType::TQ2_0, 0x5e9bab3df94d994e},
  };
  for (const auto& [type, value] : expected) {
    const synth::SynthModel model(tiny(type));
    EXPECT_EQ(hash(model), value) << name_of(type);
  }
  EXPECT_EQ(std::size(expected), synth::weight_types().size());
}

TEST(SynthModel, ScalingFactorsOfLlama31) {
  synth::Shape shape = narrow(synth::find_shape("llama-3.2-1b"));
  shape.head_dim = 64;
  const synth::SynthImage image{synth::SynthModel({&shape, TensorType::Q4_0, 1})};
  const auto files = gguf::ModelFiles::from_memory(image.bytes(), image.name());
  const auto found = files.find_tensor("rope_freqs.weight");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->tensor->cols(), 32u);
  float factors[32];
  std::memcpy(factors, found->tensor->data, sizeof factors);
  // Wavelengths of up to 8192 / 4 positions are left alone, those above 8192 are 32 times as long.
  EXPECT_EQ(factors[0], 1.0f);
  EXPECT_EQ(factors[14], 1.0f);  // 1956 positions
  EXPECT_GT(factors[16], 1.0f);  // 4443 positions
  EXPECT_LT(factors[16], 32.0f);
  EXPECT_EQ(factors[18], 32.0f);  // 10089 positions
  EXPECT_EQ(factors[31], 32.0f);
}

TEST(SynthModel, RowsOfAMatrixDiffer) {
  for (const TensorType type : {TensorType::F16, TensorType::Q4_0, TensorType::Q2_K}) {
    const synth::SynthImage image{synth::SynthModel(tiny(type))};
    const auto files = gguf::ModelFiles::from_memory(image.bytes(), image.name());
    std::set<std::vector<std::byte>> seen;  // in any matrix of these columns
    std::size_t n_rows = 0;
    for (const gguf::TensorInfo& tensor : files.files().front().tensors) {
      if (tensor.n_dims < 2) continue;
      const std::size_t size = tensor.size / tensor.rows();
      for (std::size_t i = 0; i < tensor.rows(); ++i, ++n_rows)
        seen.emplace(tensor.data + i * size, tensor.data + (i + 1) * size);
    }
    EXPECT_EQ(seen.size(), n_rows) << name_of(type);
  }
}

TEST(SynthWeights, AreOfTheSizeAskedForAndWithoutBias) {
  for (const synth::WeightType& row : synth::weight_types()) {
    if (!kernels::supports(row.type)) continue;
    const gguf::TypeInfo& info = gguf::type_info(row.type);
    constexpr std::size_t kWeights = 1 << 18;
    std::vector<std::byte> blocks(gguf::row_bytes(row.type, kWeights));
    tools::Random random(1);
    const double rms = 1 / std::sqrt(28672.0);  // the longest rows of all shapes
    synth::fill_blocks(blocks, row.type, rms, random);
    std::vector<float> weights(kWeights);
    kernels::choose_dequantize(row.type, cpu::kNone)
        .run({weights.data(), reinterpret_cast<const std::uint8_t*>(blocks.data()), kWeights});
    double sum = 0, squares = 0;
    for (const float w : weights) {
      ASSERT_TRUE(std::isfinite(w)) << info.name;
      sum += w;
      squares += double{w} * w;
    }
    EXPECT_NEAR(std::sqrt(squares / kWeights) / rms, 1, 0.05) << info.name;
    EXPECT_LT(std::abs(sum / kWeights) / rms, 0.12) << info.name;
  }
}

/// The file of a model of which the head alone is there, so that large ones cost nothing.
LazyMemory head_of(const synth::SynthModel& model) {
  LazyMemory memory(model.size(), "test");
  model.write([&memory](std::span<const std::byte> head) {
    std::memcpy(memory.data(), head.data(), head.size());
    return false;
  });
  return memory;
}

TEST(SynthShapes, AreModelsOfTheirArchitecture) {
  for (const synth::Shape& shape : synth::shapes()) {
    if (!runs_here(shape)) continue;
    for (const TensorType type : {TensorType::F16, TensorType::Q4_K, TensorType::IQ4_XS}) {
      const LazyMemory head = head_of(synth::SynthModel({&shape, type, 2}));
      const auto model = Model::load({head.data(), head.size()}, shape.name);
      const ModelConfig& c = model->config();
      EXPECT_EQ(c.architecture, shape.architecture);
      EXPECT_EQ(c.n_layer, 2u);
      EXPECT_EQ(c.n_vocab, shape.n_vocab);
      EXPECT_EQ(c.n_head[1], shape.n_head);
      EXPECT_EQ(c.head_dim_k, shape.head_dim);
      EXPECT_EQ(model->weights().n_unused, 0u) << shape.name;
      EXPECT_THAT(model->warnings(), testing::IsEmpty()) << shape.name;
    }
  }
}

TEST(SynthShapes, AreWholeFilesWhetherTheEngineRunsThemOrNot) {
  for (const synth::Shape& shape : synth::shapes()) {
    const synth::SynthModel model({&shape, TensorType::Q5_K, shape.n_layer});
    const LazyMemory head = head_of(model);
    const auto files = gguf::ModelFiles::from_memory({head.data(), head.size()}, shape.name);
    EXPECT_EQ(files.n_tensors(), model.n_tensors()) << shape.name;
    EXPECT_THAT(files.files().front().warnings, testing::IsEmpty()) << shape.name;
    const gguf::Metadata& keys = files.metadata();
    const std::string prefix(shape.architecture);
    EXPECT_EQ(keys.require_uint(prefix + ".embedding_length", 1, 1 << 20), shape.n_embd) << shape.name;
    EXPECT_EQ(keys.require_uint(prefix + ".block_count", 1, 1 << 20), shape.n_layer) << shape.name;
    EXPECT_EQ(Tokenizer::from(keys)->n_vocab(), shape.n_vocab) << shape.name;
  }
}

/// Published numbers of weights (model cards, or the sum over the published tensors).
TEST(SynthShapes, HaveThePublishedNumberOfWeights) {
  const std::pair<const char*, double> published[] = {
      {"smollm2-135m", 134.5e6}, {"smollm2-360m", 361.8e6}, {"smollm2-1.7b", 1.71e9},
      {"llama-3.2-1b", 1.236e9}, {"llama-3.2-3b", 3.213e9}, {"llama-3-8b", 8.03e9},
      {"llama-3-70b", 70.55e9},  {"mistral-7b", 7.248e9},   {"phi-3-mini", 3.821e9},
      {"phi-4", 14.66e9},        {"qwen2.5-0.5b", 494e6},   {"qwen2.5-7b", 7.616e9},
      {"qwen3-0.6b", 596e6},     {"qwen3-4b", 4.022e9},     {"qwen3-8b", 8.191e9},
      {"gemma-2-2b", 2.614e9},   {"gemma-3-1b", 999.9e6},   {"gemma-3-4b", 3.88e9},
  };
  for (const auto& [name, n_weights] : published) {
    const synth::Shape& shape = synth::find_shape(name);
    const synth::SynthModel model({&shape, TensorType::F16, shape.n_layer});
    EXPECT_NEAR(static_cast<double>(model.n_weights()) / n_weights, 1, 0.002) << name;
  }
}

/// The root of the mean square of the logits after a few tokens.
double run(const synth::Choice& choice) {
  const synth::SynthImage image{synth::SynthModel(choice)};
  DecoderOptions options;
  options.n_ctx = 64;
  Decoder decoder(Model::load(image.bytes(), image.name()), options);
  Sequence sequence = decoder.new_sequence();
  std::vector<TokenId> tokens;
  for (const int id : {3, 70, 300, 71, 399, 5, 5, 5}) tokens.push_back(TokenId{id});
  decoder.prefill(sequence, tokens);
  double squares = 0;
  for (const float logit : decoder.logits(0)) squares += double{logit} * logit;
  return std::sqrt(squares / static_cast<double>(decoder.logits(0).size()));
}

TEST(SynthShapes, LogitsStayFiniteThroughAllLayers) {
  std::map<std::string_view, const synth::Shape*> deepest;  // of each architecture
  for (const synth::Shape& shape : synth::shapes()) {
    const synth::Shape*& there = deepest[shape.architecture];
    if (runs_here(shape) && (there == nullptr || there->n_layer < shape.n_layer)) there = &shape;
  }
  for (const auto& [architecture, shape] : deepest) {
    if (shape == nullptr) continue;
    const synth::Shape small = narrow(*shape);
    const double rms = run({&small, TensorType::Q4_K, small.n_layer});
    EXPECT_GT(rms, 0.3) << shape->name;
    EXPECT_LT(rms, 3) << shape->name;
  }
}

TEST(SynthWeights, OfEveryTypeWithKernelsRun) {
  for (const char* name : {"tiny", "phi-4", "qwen2.5-0.5b"}) {
    const synth::Shape small = narrow(synth::find_shape(name));
    for (const synth::WeightType& row : synth::weight_types()) {
      if (!kernels::supports(row.type)) continue;
      const double rms = run({&small, row.type, 2});
      EXPECT_GT(rms, 0.3) << name << " " << name_of(row.type);
      EXPECT_LT(rms, 3) << name << " " << name_of(row.type);
    }
  }
}

TEST(SynthVocabulary, ReadsAnyText) {
  const LazyMemory head = head_of(synth::SynthModel(tiny(TensorType::Q4_0)));
  const auto model = Model::load({head.data(), head.size()}, "tiny");
  const Tokenizer& tokenizer = model->tokenizer();
  EXPECT_TRUE(tokenizer.add_bos());
  const std::string text = "The cat\xff sat, \u00e9\u4e2d 12.\n";
  const std::vector<TokenId> ids = tokenizer.encode(text);
  EXPECT_EQ(tokenizer.decode(ids), "<s>" + text);
  EXPECT_LT(ids.size(), text.size());
}

TEST(SynthChoice, IsShapeTypeAndLayers) {
  const synth::Choice whole = synth::parse_choice("Llama-70B:q4_k");
  EXPECT_EQ(whole.shape->name, "llama-3-70b");
  EXPECT_EQ(whole.type, TensorType::Q4_K);
  EXPECT_EQ(whole.n_layer, 80u);
  EXPECT_EQ(synth::parse_choice("qwen3-4b:F16:2").n_layer, 2u);
}

TEST(SynthChoice, Faults) {
  const std::pair<const char*, const char*> cases[] = {
      {"llama-3-8b", "SHAPE:TYPE is needed"},
      {"lama-3-8b:Q4_0", "unknown shape 'lama-3-8b'; the nearest is llama-3-8b; known are tiny, "},
      {"zzz:Q4_0", "unknown shape 'zzz'; known are tiny, "},
      {"tiny:Q4_K_M", "unknown type 'Q4_K_M'; the nearest is Q4_K; known are F32, "},
      {"tiny:Q8_K", "unknown type 'Q8_K'"},
      {"tiny:Q4_0:0", "layers '0'; allowed: 1 to 1024"},
      {"tiny:Q4_0:1025", "layers '1025'"},
      {"tiny:Q4_0:", "layers ''"},
      {"tiny:", "unknown type ''"},
  };
  for (const auto& [text, part] : cases) {
    try {
      synth::parse_choice(text);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(part)) << text;
    }
  }
}

TEST(SynthChoice, SubstitutesAreTold) {
  const synth::SynthModel model(synth::parse_choice("smollm2-135m:Q4_K:2"));
  EXPECT_THAT(
      model.notes(),
      testing::ElementsAre(
          "rows of 576 weights are no whole blocks of Q4_K (256 weights): Q5_0 in its place, 12 tensors",
          "rows of 576 weights are no whole blocks of Q6_K (256 weights): Q8_0 in its place, 1 tensor"));
  EXPECT_THAT(synth::SynthModel(synth::parse_choice("llama-3-8b:Q4_K")).notes(), testing::IsEmpty());
}

}  // namespace
}  // namespace armature::test
