#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/engine/reference.h"
#include "tests/support/tiny_model.h"

/// Models whose logits are worked out by hand from the blocks of the output matrix: one layer that adds
/// nothing, an embedding of 1000 everywhere, so that the output matrix meets the output norm's weights
/// themselves.
namespace armature::test {
namespace {

constexpr std::uint32_t kVocab = 64;

Bytes constant_model(std::uint32_t n_embd, gguf::TensorType type, const std::vector<float>& norm,
                     Bytes output) {
  const std::uint32_t n_head = n_embd == 576 ? 9 : n_embd / 32;
  TinyModel model(
      {.n_layer = 1, .n_embd = n_embd, .n_head = n_head, .n_head_kv = n_head, .n_ff = 32, .n_vocab = kVocab});
  model.set_weights("token_embd.weight", std::vector<float>(kVocab * n_embd, 1000.0f));
  model.set_weights("blk.0.attn_output.weight", std::vector<float>(n_embd * n_embd, 0.0f));
  model.set_weights("blk.0.ffn_down.weight", std::vector<float>(n_embd * 32, 0.0f));
  model.set_weights("output_norm.weight", norm);
  output.resize(kVocab * gguf::row_bytes(type, n_embd));  // the rows that are not given are zero
  model.set_tensor("output.weight", {kVocab, n_embd}, type, output);
  return model.bytes();
}

void push(Bytes& bytes, std::initializer_list<int> values) {
  for (const int v : values) bytes.push_back(static_cast<std::byte>(v));
}

/// Logits of every row of prompts of 1 and of 40 tokens, on every instruction set, with 1 thread and with 2.
void check(const Bytes& file, const std::vector<double>& want, const std::vector<double>& tolerance) {
  for (const Level& level : levels()) {
    LoadOptions load;
    load.features = level.features;
    const auto model = Model::load(file, "constant.gguf", load);
    for (const std::size_t n_tokens : {1u, 40u}) {
      for (const std::size_t n_threads : {1u, 2u}) {
        DecoderOptions options;
        options.n_ctx = 64;
        options.n_threads = n_threads;
        const auto logits = all_logits(model, options, std::vector<TokenId>(n_tokens, TokenId{5}));
        for (std::size_t row = 0; row < n_tokens; ++row) {
          for (std::size_t j = 0; j < want.size(); ++j) {
            EXPECT_NEAR(logits[row * kVocab + j], want[j], tolerance[j])
                << level.name << ", " << n_tokens << " tokens, row " << row << ", logit " << j;
          }
        }
      }
    }
  }
}

void check_largest(gguf::TensorType type, const Bytes& block, double want) {
  check(constant_model(256, type, std::vector<float>(256, 127.0f), block), {want, 0.0}, {want * 1e-3, 0.0});
}

TEST(WeightTypes, LargestBlockOfQ4_K) {
  Bytes block;
  push(block, {0x00, 0x3c, 0, 0});                    // d = 1, dmin = 0
  for (int i = 0; i < 4; ++i) push(block, {0xff});    // scales 0..3 are 63, the upper bits of 4..7
  for (int i = 0; i < 4; ++i) push(block, {0x00});    // minima
  for (int i = 0; i < 4; ++i) push(block, {0x0f});    // the lower bits of scales 4..7
  for (int i = 0; i < 128; ++i) push(block, {0xff});  // q = 15
  check_largest(gguf::TensorType::Q4_K, block, 30723840);
}

TEST(WeightTypes, LargestBlockOfQ5_K) {
  Bytes block;
  push(block, {0x00, 0x3c, 0, 0});
  for (int i = 0; i < 4; ++i) push(block, {0xff});
  for (int i = 0; i < 4; ++i) push(block, {0x00});
  for (int i = 0; i < 4; ++i) push(block, {0x0f});
  for (int i = 0; i < 160; ++i) push(block, {0xff});  // fifth bits and nibbles: q = 31
  check_largest(gguf::TensorType::Q5_K, block, 63495936);
}

TEST(WeightTypes, LargestBlockOfQ6_K) {
  Bytes block;
  for (int i = 0; i < 192; ++i) push(block, {0xff});  // raw q = 63, which stands for 31
  for (int i = 0; i < 16; ++i) push(block, {127});
  push(block, {0x00, 0x3c});
  check_largest(gguf::TensorType::Q6_K, block, 127999744);
}

/// Weights whose 8-bit rounding is exact: each 32 hold a 127.
std::vector<float> norm_p(std::uint32_t n_embd) {
  std::vector<float> norm;
  for (std::uint32_t k = 0; k < n_embd; ++k)
    norm.push_back(k % 32 == 0 ? 127.0f : static_cast<float>((37 * k) % 127 + 1));
  return norm;
}

struct RowCase {
  std::uint32_t n_embd;
  std::vector<double> want;
  double tolerance;
};

TEST(WeightTypes, RowsThatAreNoMultipleOf128InQ8_0) {
  for (const RowCase& c : {RowCase{96, {-954.359375, -607.34375, -13.296875, 827.78125}, 6.3},
                           RowCase{160, {-913.78125, -1178.109375, -605.71875, -85.125}, 10.8},
                           RowCase{576, {-1286.3125, -791.375, 432.703125, 824.046875}, 37.6}}) {
    Bytes rows;
    for (std::uint32_t j = 0; j < 4; ++j) {
      for (std::uint32_t k = 0; k < c.n_embd; ++k) {
        if (k % 32 == 0) push(rows, {0x00, 0x24});  // 1/64
        push(rows, {static_cast<int>((31 * j + 7 * k) % 255) - 127});
      }
    }
    check(constant_model(c.n_embd, gguf::TensorType::Q8_0, norm_p(c.n_embd), rows), c.want,
          std::vector<double>(4, c.tolerance));
  }
}

TEST(WeightTypes, RowsThatAreNoMultipleOf128InQ4_0) {
  for (const RowCase& c :
       {RowCase{96, {-1198, -1170, -750, -970}, 6.4}, RowCase{160, {-2068, -2291.5, -1523, -1482.5}, 10.5},
        RowCase{576, {-7209, -6556.75, -5076.5, -4388.25}, 38}}) {
    Bytes rows;
    for (std::uint32_t j = 0; j < 4; ++j) {
      const auto nibble = [&](std::uint32_t k) { return static_cast<int>((3 * j + 5 * k) % 16); };
      for (std::uint32_t k = 0; k < c.n_embd; k += 32) {
        push(rows, {0x00, 0x34});  // 1/4
        for (std::uint32_t i = 0; i < 16; ++i) push(rows, {nibble(k + i) | nibble(k + 16 + i) << 4});
      }
    }
    check(constant_model(c.n_embd, gguf::TensorType::Q4_0, norm_p(c.n_embd), rows), c.want,
          std::vector<double>(4, c.tolerance));
  }
}

TEST(WeightTypes, BF16IsTakenAsItIs) {
  Bytes rows;
  for (const int value : {0x47c0, 0x0001, 0x8000}) {  // 98304, 2^-133, -0
    for (int k = 0; k < 256; ++k) push(rows, {value & 0xff, value >> 8});
  }
  check(constant_model(256, gguf::TensorType::BF16, std::vector<float>(256, 127.0f), rows),
        {3196059648.0, 2.99e-36, 0.0}, {3196059.0, 1e-38, 0.0});
}

}  // namespace
}  // namespace armature::test
