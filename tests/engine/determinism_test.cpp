#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/engine/reference.h"
#include "tests/support/tiny_model.h"

/// The same request gives the same bits, whatever the threads and whoever rides along.
namespace armature::test {
namespace {

const TinyConfig kShape{.n_embd = 96, .n_head = 6, .n_head_kv = 2, .n_ff = 160, .n_ctx = 512};

/// A tiny model with matrices of Q8_0, so that rounded activations are met too.
Bytes quantized_file() {
  TinyModel model(kShape);
  for (TinyModel::Tensor& t : model.tensors) {
    if (t.shape.size() != 2) continue;
    std::vector<float> values(t.data.size() / sizeof(float));
    std::memcpy(values.data(), t.data.data(), t.data.size());
    t.type = gguf::TensorType::Q8_0;
    t.data.clear();
    for (std::size_t i = 0; i < values.size(); i += 32) {
      t.data.push_back(std::byte{0x00});  // the f16 step 2^-8
      t.data.push_back(std::byte{0x1c});
      for (std::size_t j = 0; j < 32; ++j) {
        t.data.push_back(
            static_cast<std::byte>(std::lround(std::fmax(-127.0f, std::fmin(127.0f, values[i + j] * 256)))));
      }
    }
  }
  return model.bytes();
}

std::vector<TokenId> some_tokens(std::size_t n, std::size_t seed = 1) {
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < n; ++i) tokens.push_back(static_cast<TokenId>((7 * i * i + 3 * i + seed) % 64));
  return tokens;
}

void expect_same_bits(std::span<const float> a, std::span<const float> b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size_bytes()), 0) << what;
}

class DeterminismTest : public testing::TestWithParam<bool> {
 protected:
  DeterminismTest() : file_(GetParam() ? quantized_file() : TinyModel(kShape).bytes()) {}
  std::shared_ptr<const Model> load(const Level& level) const {
    LoadOptions options;
    options.features = level.features;
    return Model::load(file_, "tiny.gguf", options);
  }
  Bytes file_;
};

TEST_P(DeterminismTest, ThreadsDoNotChangeTheBits) {
  for (const Level& level : levels()) {
    const auto model = load(level);
    for (const std::size_t n_ubatch : {1u, 4u, 64u}) {
      DecoderOptions options;
      options.n_ctx = 256;
      options.n_ubatch = n_ubatch;
      options.n_threads = 1;
      const auto want = all_logits(model, options, some_tokens(90));
      for (const std::size_t n_threads : {2u, 3u, 7u}) {
        options.n_threads = n_threads;
        expect_same_bits(all_logits(model, options, some_tokens(90)), want,
                         level.name + ", threads " + std::to_string(n_threads) + ", micro-batch " +
                             std::to_string(n_ubatch));
      }
    }
  }
}

TEST_P(DeterminismTest, MicroBatchesOfOneRegimeGiveTheSameBits) {
  for (const Level& level : levels()) {
    const auto model = load(level);
    DecoderOptions options;
    options.n_ctx = 256;
    const auto logits = [&](std::size_t n_ubatch) {
      options.n_ubatch = n_ubatch;
      return all_logits(model, options, some_tokens(90));
    };
    expect_same_bits(logits(1), logits(2), level.name + ", few rows");
    expect_same_bits(logits(1), logits(3), level.name + ", few rows");
    expect_same_bits(logits(9), logits(45), level.name + ", many rows");
    expect_same_bits(logits(9), logits(90), level.name + ", many rows");
    options.batch_invariant = true;
    const auto alone = logits(1);
    for (const std::size_t n_ubatch : {2u, 7u, 31u, 32u, 33u, 90u}) {
      expect_same_bits(alone, logits(n_ubatch), level.name + ", batch-invariant");
    }
  }
}

TEST_P(DeterminismTest, NeighboursInTheBatchDoNotChangeTheBits) {
  for (const Level& level : levels()) {
    const auto model = load(level);
    DecoderOptions options;
    options.n_ctx = 512;
    options.n_threads = 2;
    Decoder decoder(model, options);
    const auto logits_of_first = [&](std::size_t n_neighbours) {
      std::vector<Sequence> sequences;
      for (std::size_t i = 0; i <= n_neighbours; ++i) sequences.push_back(decoder.new_sequence());
      Batch batch;
      for (std::size_t i = n_neighbours; i > 0; --i) {
        for (const TokenId t : some_tokens(5 + i, i + 1)) batch.push_back({t, &sequences[i], false});
      }
      for (const TokenId t : some_tokens(70)) batch.push_back({t, &sequences[0], false});
      for (std::size_t i = 0; i < 5; ++i) batch.push_back({static_cast<TokenId>(i), &sequences[0], true});
      decoder.forward(batch);
      std::vector<float> logits;
      for (std::size_t i = 0; i < 5; ++i)
        logits.insert(logits.end(), decoder.logits(i).begin(), decoder.logits(i).end());
      return logits;
    };
    const auto alone = logits_of_first(0);
    for (const std::size_t n : {1u, 3u, 6u}) expect_same_bits(logits_of_first(n), alone, level.name);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, DeterminismTest, testing::Bool(),
                         [](const auto& param) { return param.param ? "Q8_0" : "F32"; });

}  // namespace
}  // namespace armature::test
