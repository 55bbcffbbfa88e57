#include <gtest/gtest.h>

#include "tests/engine/malformed.h"
#include "tests/engine/reference.h"
#include "tests/support/tiny_model.h"

/// The keys and tensors that phi3 and qwen2 have and llama has not, each at fault once.
namespace armature::test {
namespace {

using enum ErrorCode;
using gguf::TensorType;

constexpr const char* kWindow = "phi3.attention.sliding_window";
constexpr const char* kShort = "rope_factors_short.weight";
constexpr const char* kLong = "rope_factors_long.weight";

/// 2 layers, embedding 32, 2 heads of 16, 1 KV head, feed-forward 64.
TinyModel phi3() { return as_phi3(TinyModel()).add_tensor(kShort, {8}).add_tensor(kLong, {8}); }

TinyModel qwen2() {
  TinyModel model({.architecture = "qwen2"});
  for (const char* block : {"blk.0.", "blk.1."}) {
    model.add_tensor(std::string(block) + "attn_q.bias", {32});
    model.add_tensor(std::string(block) + "attn_k.bias", {16});
    model.add_tensor(std::string(block) + "attn_v.bias", {16});
  }
  return model;
}

template <class T>
Change set(const char* key, T value) {
  return [=](TinyModel& m) { m.set(key, value); };
}

std::vector<Bad> bad_windows() {
  return {
      {"negative", set<std::int32_t>(kWindow, -1), {bad_value}, {kWindow, "-1"}},
      {"large", set(kWindow, std::uint64_t{1} << 40), {bad_value}, {"1099511627776", "4294967295"}},
      {"string", set(kWindow, "16"), {wrong_key_type}, {kWindow, "string"}},
      {"float", set(kWindow, 16.0f), {wrong_key_type}, {"f32"}},
      {"bool", set(kWindow, true), {wrong_key_type}, {"bool"}},
  };
}

std::vector<Bad> bad_fused_tensors() {
  return {
      {"no attn_qkv",
       erase_tensor("blk.1.attn_qkv.weight"),
       {missing_tensor},
       {"blk.1.attn_q.weight", "blk.1.attn_qkv.weight"}},
      {"attn_qkv of q alone",
       reshape("blk.1.attn_qkv.weight", {32, 32}),
       {wrong_shape},
       {"blk.1.attn_qkv.weight", "[32, 32]", "[64, 32]"}},
      {"attn_qkv, one row more",
       reshape("blk.0.attn_qkv.weight", {65, 32}),
       {wrong_shape},
       {"[65, 32]", "[64, 32]"}},
      {"attn_qkv of integers",
       retype("blk.0.attn_qkv.weight", {64, 32}, TensorType::I32),
       {wrong_tensor_type},
       {"blk.0.attn_qkv.weight", "I32"}},
      {"bias of attn_qkv",
       reshape("blk.0.attn_qkv.bias", {32}),
       {wrong_shape},
       {"blk.0.attn_qkv.bias", "[32]", "[64]"}},
      {"q without k",
       [](TinyModel& m) {
         m.erase_tensor("blk.0.attn_qkv.weight").add_tensor("blk.0.attn_q.weight", {32, 32});
       },
       {missing_tensor},
       {"blk.0.attn_k.weight"}},
      {"no ffn_up",
       erase_tensor("blk.1.ffn_up.weight"),
       {missing_tensor},
       {"blk.1.ffn_up.weight", "[128, 32]"}},
      {"ffn_up without a gate",
       reshape("blk.0.ffn_up.weight", {64, 32}),
       {wrong_shape},
       {"blk.0.ffn_up.weight", "[64, 32]", "[128, 32]"}},
      {"bias of ffn_up",
       reshape("blk.0.ffn_up.bias", {64}),
       {wrong_shape},
       {"blk.0.ffn_up.bias", "[64]", "[128]"}},
  };
}

std::vector<Bad> bad_rope() {
  return {
      {"no short factors", erase_tensor(kShort), {missing_tensor}, {kShort, "[8]"}},
      {"no long factors", erase_tensor(kLong), {missing_tensor}, {kLong, "[8]"}},
      {"no factors for the type",
       [](TinyModel& m) {
         m.erase_tensor(kShort).erase_tensor(kLong).set("phi3.rope.scaling.type", "longrope");
       },
       {missing_tensor},
       {kShort}},
      {"factors of a whole head", reshape(kShort, {16}), {wrong_shape}, {kShort, "[16]", "[8]"}},
      {"too few factors for n_rot", set_u32("phi3.rope.dimension_count", 12), {wrong_shape}, {"[8]", "[6]"}},
      {"factors in F16", retype(kLong, {8}, TensorType::F16), {wrong_tensor_type}, {kLong, "F16", "F32"}},
      {"attn_factor 0", set_f32("phi3.rope.scaling.attn_factor", 0), {bad_value}, {"attn_factor", "above 0"}},
      {"attn_factor NaN", set_f32("phi3.rope.scaling.attn_factor", kNan), {bad_value}, {"attn_factor"}},
      {"original context 0",
       set_u32("phi3.rope.scaling.original_context_length", 0),
       {bad_value},
       {"phi3.rope.scaling.original_context_length", "0"}},
      {"n_rot odd", set_u32("phi3.rope.dimension_count", 15), {bad_value}, {"15", "16"}},
      {"n_rot 0", set_u32("phi3.rope.dimension_count", 0), {bad_value}, {"phi3.rope.dimension_count"}},
      {"n_rot beyond the head", set_u32("phi3.rope.dimension_count", 32), {bad_value}, {"32", "16"}},
      {"scaling type", set("phi3.rope.scaling.type", "su"), {bad_value}, {"'su'", "longrope"}},
  };
}

std::vector<Bad> bad_biases() {
  return {
      {"no bias of q", erase_tensor("blk.1.attn_q.bias"), {missing_tensor}, {"blk.1.attn_q.bias", "[32]"}},
      {"no bias of k", erase_tensor("blk.0.attn_k.bias"), {missing_tensor}, {"blk.0.attn_k.bias", "[16]"}},
      {"no bias of v", erase_tensor("blk.1.attn_v.bias"), {missing_tensor}, {"blk.1.attn_v.bias"}},
      {"bias of k for 2 heads",
       reshape("blk.0.attn_k.bias", {32}),
       {wrong_shape},
       {"blk.0.attn_k.bias", "[32]", "[16]"}},
      {"bias in F16",
       retype("blk.0.attn_q.bias", {32}, TensorType::F16),
       {wrong_tensor_type},
       {"blk.0.attn_q.bias", "F16"}},
      {"bias of attn_output", reshape("blk.0.attn_output.bias", {16}), {wrong_shape}, {"[16]", "[32]"}},
      {"bias of output", reshape("output.bias", {63}), {wrong_shape}, {"output.bias", "[63]", "[64]"}},
      {"fused without its bias",
       [](TinyModel& m) {
         m.stack("blk.0.attn_qkv.weight",
                 {"blk.0.attn_q.weight", "blk.0.attn_k.weight", "blk.0.attn_v.weight"});
       },
       {missing_tensor},
       {"blk.0.attn_qkv.bias", "[64]"}},
  };
}

void expect_each_refused(const TinyModel& good, const std::vector<Bad>& cases) {
  const Bytes file = good.bytes();
  EXPECT_EQ(Model::load(file, "good.gguf")->warnings(), std::vector<std::string>());
  for (const Bad& bad : cases) {
    TinyModel model = good;
    bad.change(model);
    expect_refused(model, bad);
  }
}

TEST(MalformedArchitecture, FaultsOfPhi3AreNamed) {
  expect_each_refused(phi3(), bad_windows());
  expect_each_refused(phi3(), bad_fused_tensors());
  expect_each_refused(phi3(), bad_rope());
}

TEST(MalformedArchitecture, FaultsOfQwen2AreNamed) { expect_each_refused(qwen2(), bad_biases()); }

TEST(MalformedArchitecture, RequiredKeysHaveTheArchitecturesName) {
  for (const char* key : {"context_length", "embedding_length", "block_count", "feed_forward_length",
                          "attention.head_count", "attention.layer_norm_rms_epsilon"}) {
    for (const auto& [name, good] : {std::pair{"phi3.", phi3()}, std::pair{"qwen2.", qwen2()}}) {
      TinyModel model = good;
      const std::string full = std::string(name) + key;
      model.erase_key(full);
      expect_refused(model, {key, {}, {missing_key}, {full}, {}});
    }
  }
}

TEST(MalformedArchitecture, FactorsThatAreNotNumbersNeverBecomeTokens) {
  for (const float value : {0.0f, kNan}) {
    TinyModel model = phi3();
    model.set_weights(kShort, std::vector<float>(8, value));
    const Bytes file = model.bytes();
    DecoderOptions options;
    options.n_ctx = 64;
    try {
      all_logits(Model::load(file, "bad.gguf"), options, std::vector<TokenId>{TokenId{1}, TokenId{9}});
      ADD_FAILURE() << value;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), not_finite) << e.what();
    }
  }
}

}  // namespace
}  // namespace armature::test
