#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/malformed.h"
#include "tests/engine/reference.h"
#include "tests/support/model_run.h"
#include "tests/support/tiny_model.h"

/// Files whose container is sound and whose model is not: each must give one error with the right code, place
/// and numbers, or load and answer as the good file does; in the library and in the program.
namespace armature::test {
namespace {

std::vector<TokenId> greedy(const std::shared_ptr<const Model>& model, std::size_t n) {
  DecoderOptions options;
  options.n_ctx = 64;
  Decoder decoder(model, options);
  Sequence sequence = decoder.new_sequence();
  decoder.prefill(sequence, std::vector<TokenId>{TokenId{1}, TokenId{9}, TokenId{30}});
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < n; ++i) {
    tokens.push_back(best(decoder.logits(0)));
    decoder.forward({{tokens.back(), &sequence, true}});
  }
  return tokens;
}

const std::vector<TokenId>& greedy_of_good_file() {
  static const Bytes file = TinyModel().bytes();
  static const std::vector<TokenId> tokens = greedy(Model::load(file, "good.gguf"), 8);
  return tokens;
}

using enum ErrorCode;

/// As many tokens as keys say, and another number of rows in the embedding.
Change vocabulary_of(std::uint32_t n_tokens, std::uint64_t n_rows) {
  return [=](TinyModel& m) {
    m = TinyModel({.n_vocab = n_tokens});
    m.erase_key("llama.vocab_size");
    reshape("token_embd.weight", {n_rows, 32})(m);
  };
}

std::vector<Bad> bad_models() {
  std::vector<Bad> cases = {
      {"KV-25",
       set_u32("general.architecture", 7),
       {wrong_key_type},
       {"general.architecture", "u32", "string"}},
      {"KV-25 hyperparameter as string",
       [](TinyModel& m) { m.set("llama.block_count", "2"); },
       {wrong_key_type},
       {"llama.block_count", "string"}},
      {"KV-25 hyperparameter as float",
       set_f32("llama.block_count", 2),
       {wrong_key_type},
       {"llama.block_count", "f32"}},
      {"KV-25 hyperparameter as bool",
       [](TinyModel& m) { m.set("llama.embedding_length", true); },
       {wrong_key_type},
       {"bool"}},
      {"KV-27 negative",
       [](TinyModel& m) { m.set<std::int32_t>("llama.block_count", -1); },
       {bad_value},
       {"-1"}},
      {"KV-27 large",
       [](TinyModel& m) { m.set("llama.block_count", std::uint64_t{1} << 40); },
       {bad_value},
       {"1099511627776", "1024"}},
      {"KV-29 missing", erase("general.architecture"), {missing_key}, {"general.architecture"}},
      {"KV-29 empty",
       [](TinyModel& m) { m.set("general.architecture", ""); },
       {unknown_architecture},
       {"''", "llama, mistral3"}},
      {"KV-29 unknown",
       [](TinyModel& m) { m.set("general.architecture", "nosucharch"); },
       {unknown_architecture},
       {"'nosucharch'", "llama, mistral3"}},
      {"KV-29 long",
       [](TinyModel& m) { m.set("general.architecture", std::string(200000, 'a')); },
       {unknown_architecture},
       {"..."}},
      {"KV-29 escapes",
       [](TinyModel& m) { m.set("general.architecture", "\x1b[2J%s"); },
       {unknown_architecture},
       {"\\x1b[2J%s"}},

      {"TEN-20",
       retype("blk.0.ffn_up.weight", {64, 256}, gguf::TensorType::IQ2_XS),
       {bad_tensor_type},
       {"blk.0.ffn_up.weight", "IQ2_XS"},
       {.n_embd = 256}},
      {"TEN-30 token_embd", erase_tensor("token_embd.weight"), {missing_tensor}, {"token_embd.weight"}},
      {"TEN-30 output_norm", erase_tensor("output_norm.weight"), {missing_tensor}, {"output_norm.weight"}},
      {"TEN-30 attn_q", erase_tensor("blk.1.attn_q.weight"), {missing_tensor}, {"blk.1.attn_q.weight"}},
      {"TEN-32 token_embd",
       reshape("token_embd.weight", {32, 64}),
       {wrong_shape},
       {"token_embd.weight", "[32, 64]", "[64, 32]"}},
      {"TEN-32 attn_k",
       reshape("blk.0.attn_k.weight", {32, 32}),
       {wrong_shape},
       {"blk.0.attn_k.weight", "[32, 32]", "[16, 32]"}},
      {"TEN-32 norm",
       reshape("blk.0.attn_norm.weight", {31}),
       {wrong_shape},
       {"blk.0.attn_norm.weight", "[31]", "[32]"}},
      {"TEN-32 rope_freqs",
       reshape("rope_freqs.weight", {7}),
       {wrong_shape},
       {"rope_freqs.weight", "[7]", "[8]"}},
      {"TEN-33 matrix of I32",
       retype("blk.0.ffn_up.weight", {64, 32}, gguf::TensorType::I32),
       {wrong_tensor_type},
       {"blk.0.ffn_up.weight", "I32"}},
      {"TEN-33 matrix of F64",
       retype("blk.0.ffn_up.weight", {64, 32}, gguf::TensorType::F64),
       {wrong_tensor_type},
       {"F64"}},
      {"TEN-33 matrix of I8",
       retype("blk.0.ffn_up.weight", {64, 32}, gguf::TensorType::I8),
       {wrong_tensor_type},
       {"I8"}},
      {"TEN-33 norm of I32",
       retype("output_norm.weight", {32}, gguf::TensorType::I32),
       {wrong_tensor_type},
       {"output_norm.weight", "I32", "F32"}},

      {"HYP-03 zero",
       set_u32("llama.attention.head_count", 0),
       {bad_value},
       {"llama.attention.head_count", "0"}},
      {"HYP-03 divides not",
       [](TinyModel& m) { m.set("llama.attention.head_count", 3u).set("llama.attention.head_count_kv", 3u); },
       {bad_value},
       {"3", "32"}},
      {"HYP-03 large",
       set_u32("llama.attention.head_count", 1u << 31),
       {bad_value},
       {"2147483648", "1048576"}},
      {"HYP-04 zero", set_u32("llama.attention.head_count_kv", 0), {bad_value}, {"head_count_kv", "0"}},
      {"HYP-04 4 of 2", set_u32("llama.attention.head_count_kv", 4), {bad_value}, {"4", "2"}},
      {"HYP-04 3 of 4",
       [](TinyModel& m) { m.set("llama.attention.head_count", 4u).set("llama.attention.head_count_kv", 3u); },
       {bad_value},
       {"3", "4"}},
      {"HYP-05 zero", set_u32("llama.embedding_length", 0), {bad_value}, {"embedding_length", "0"}},
      {"HYP-05 large", set_u32("llama.embedding_length", 0xffffffff), {bad_value}, {"4294967295"}},
      {"HYP-05 other",
       [](TinyModel& m) { m.set("llama.embedding_length", 48u).set("llama.rope.dimension_count", 24u); },
       {wrong_shape},
       {"token_embd.weight"}},
      {"HYP-06 zero", set_u32("llama.block_count", 0), {bad_value}, {"block_count"}},
      {"HYP-06 1025", set_u32("llama.block_count", 1025), {bad_value}, {"1025", "1024"}},
      {"HYP-06 large", set_u32("llama.block_count", 0xffffffff), {bad_value}, {"4294967295"}},
      {"HYP-07", set_u32("llama.block_count", 3), {missing_tensor}, {"blk.2.attn_norm.weight"}},
      {"HYP-09", set_u32("llama.context_length", 0), {bad_value}, {"context_length"}},
      {"HYP-11 zero", set_u32("llama.feed_forward_length", 0), {bad_value}, {"feed_forward_length"}},
      {"HYP-11 large",
       set_u32("llama.feed_forward_length", 0xffffffff),
       {bad_value},
       {"feed_forward_length"}},
      {"HYP-13 odd", set_u32("llama.rope.dimension_count", 15), {bad_value}, {"15", "16"}},
      {"HYP-13 zero", set_u32("llama.rope.dimension_count", 0), {bad_value}, {"rope.dimension_count"}},
      {"HYP-13 large", set_u32("llama.rope.dimension_count", 32), {bad_value}, {"32", "16"}},
      {"HYP-15",
       [](TinyModel& m) { m.set("llama.rope.scaling.type", "sideways"); },
       {bad_value},
       {"'sideways'", "yarn"}},
      {"HYP-17 zero", set_u32("llama.attention.key_length", 0), {bad_value}, {"key_length"}},
      {"HYP-17 other",
       [](TinyModel& m) { m.set("llama.attention.key_length", 8u).set("llama.rope.dimension_count", 8u); },
       {wrong_shape},
       {"blk.0.attn_q.weight"}},
      {"HYP-18 9 of 8",
       [](TinyModel& m) { m.set("llama.expert_count", 8u).set("llama.expert_used_count", 9u); },
       {bad_value},
       {"9", "8"}},
      {"HYP-18 many", set_u32("llama.expert_count", 100000), {bad_value}, {"100000"}},
      {"HYP-18 0 of 8",
       [](TinyModel& m) { m.set("llama.expert_count", 8u).set("llama.expert_used_count", 0u); },
       {bad_value},
       {"expert_used_count"}},
      {"experts",
       [](TinyModel& m) { m.set("llama.expert_count", 8u).set("llama.expert_used_count", 2u); },
       {unknown_architecture},
       {"'llama'", "8 experts"}},
      {"HYP-19 length",
       [](TinyModel& m) {
         m.set("llama.attention.head_count", std::vector<std::uint32_t>{2, 2, 2});
       },
       {bad_value},
       {"3 values for 2 layers"}},
      {"HYP-19 strings",
       [](TinyModel& m) {
         m.set("llama.attention.head_count", std::vector<std::string>{"2", "2"});
       },
       {wrong_key_type},
       {"head_count"}},
      {"HYP-20", set_u32("llama.vocab_size", 100), {bad_vocab, wrong_shape}, {"100", "64"}},
      {"HYP-21",
       [](TinyModel& m) {
         for (const char* key :
              {"llama.embedding_length", "llama.feed_forward_length", "llama.attention.head_count"})
           m.set(key, 1u << 20);
         m.set("llama.block_count", 1024u)
             .erase_key("llama.attention.head_count_kv")
             .erase_key("llama.rope.dimension_count");
         m.set("llama.attention.key_length", 2u);
         m.tensors.clear();
       },
       {missing_tensor},
       {"token_embd.weight"}},
      {"VOC-13 rows", vocabulary_of(64, 65), {wrong_shape, bad_vocab}, {"65", "64"}},
      {"VOC-13 65 tokens", vocabulary_of(65, 64), {wrong_shape, bad_vocab}, {"65", "64"}},
      {"VOC-13 63 tokens", vocabulary_of(63, 64), {wrong_shape, bad_vocab}, {"63", "64"}},
      {"VOC-19",
       [](TinyModel& m) {
         m.set("tokenizer.ggml.model", "no_vocab")
             .erase_key("tokenizer.ggml.tokens")
             .set("llama.vocab_size", 0xffffffffu);
       },
       {bad_value},
       {"4294967295"}},
      {"VOC-20", [](TinyModel& m) { m.tensors.clear(); }, {missing_tensor}, {"token_embd.weight"}},
  };
  for (const char* key : {"context_length", "embedding_length", "block_count", "feed_forward_length",
                          "attention.head_count", "attention.layer_norm_rms_epsilon"}) {
    const std::string full = std::string("llama.") + key;
    cases.push_back({"HYP-01", [=](TinyModel& m) { m.erase_key(full); }, {missing_key}, {full}});
  }
  for (const float eps : {0.0f, -1e-5f, kNan, kInf}) {
    cases.push_back(
        {"HYP-12", set_f32("llama.attention.layer_norm_rms_epsilon", eps), {bad_value}, {"epsilon"}});
  }
  for (const float base : {0.0f, -10000.0f, kNan, kInf}) {
    cases.push_back(
        {"HYP-14", set_f32("llama.rope.freq_base", base), {bad_value}, {"rope.freq_base", "above 0"}});
  }
  for (const float factor : {kNan, -2.0f, kInf}) {
    cases.push_back(
        {"HYP-16", set_f32("llama.rope.scaling.factor", factor), {bad_value}, {"rope.scaling.factor"}});
  }
  return cases;
}

TEST(MalformedModel, EachFaultIsNamed) {
  for (const Bad& bad : bad_models()) {
    TinyModel model(bad.config);
    bad.change(model);
    expect_refused(model, bad);
  }
}

/// The file is accepted and its greedy answer is that of the good file.
void expect_answers_as_good(const Bytes& file) {
  EXPECT_EQ(greedy(Model::load(file, "good.gguf"), 8), greedy_of_good_file());
  expect_run_answers_as_good(file);
}

struct Good {
  const char* id;
  Change change;
};

std::vector<Good> good_models() {
  return {
      {"HDR-10", [](TinyModel& m) { m.version = 2; }},
      {"KV-26 u64", [](TinyModel& m) { m.set("llama.block_count", std::uint64_t{2}); }},
      {"KV-26 i32", [](TinyModel& m) { m.set<std::int32_t>("llama.block_count", 2); }},
      {"KV-28 type", [](TinyModel& m) { m.set("general.file_type", "what"); }},
      {"KV-28 number", set_u32("general.file_type", 9999)},
      {"TEN-28, TEN-29",
       [](TinyModel& m) {
         m.add_tensor("blk.-1.attn_q.weight", {4}).add_tensor("blk.4294967297.attn_q.weight", {4});
       }},
      {"HYP-02",
       [](TinyModel& m) {
         for (const char* key : {"llama.rope.freq_base", "llama.rope.dimension_count", "llama.vocab_size"})
           m.erase_key(key);
       }},
      {"HYP-10", set_u32("llama.context_length", 0xffffffff)},
      {"HYP-16 zero", set_f32("llama.rope.scaling.factor", 0.0f)},
      {"HYP-19",
       [](TinyModel& m) {
         m.set("llama.attention.head_count", std::vector<std::uint32_t>{2, 2});
       }},
      {"ALN-01 alignment 1",
       [](TinyModel& m) {
         m.set("general.alignment", 1u).alignment = 1;
         m.set("general.name", "odd length");
       }},
      {"ALN-05 alignment 2", [](TinyModel& m) { m.set("general.alignment", 2u).alignment = 2; }},
      {"ALN-05 alignment 64", [](TinyModel& m) { m.set("general.alignment", 64u).alignment = 64; }},
      {"ALN-05 alignment 4096", [](TinyModel& m) { m.set("general.alignment", 4096u).alignment = 4096; }},
      {"TEN-26", [](TinyModel& m) { std::reverse(m.tensors.begin(), m.tensors.end()); }},
  };
}

TEST(MalformedModel, BorderlineFilesAnswerAsTheGoodOne) {
  for (const Good& good : good_models()) {
    TinyModel model;
    good.change(model);
    SCOPED_TRACE(good.id);
    expect_answers_as_good(model.bytes());
  }
}

TEST(MalformedModel, PaddingAtTheEndDoesNotMatter) {
  for (const std::size_t n : {31u, 1024u, 4096u}) {
    Bytes file = TinyModel().bytes();
    file.resize(file.size() + n, std::byte{0x5a});
    SCOPED_TRACE(n);
    expect_answers_as_good(file);
  }
}

TEST(MalformedModel, UnusedTensorsGiveOneWarningThatCountsThem) {
  TinyModel model;
  model.add_tensor("blk.7.attn_q.weight", {4}).add_tensor("whatever", {4});
  const Bytes file = model.bytes();
  const auto loaded = Model::load(file, "good.gguf");
  ASSERT_EQ(loaded->warnings().size(), 1u);
  EXPECT_NE(loaded->warnings()[0].find("2 tensors"), std::string::npos) << loaded->warnings()[0];
}

TEST(MalformedModel, WithoutOutputTheEmbeddingServes) {
  TinyModel tied, copied;
  tied.erase_tensor("output.weight");
  copied.tensor("output.weight").data = copied.tensor("token_embd.weight").data;
  const Bytes a = tied.bytes(), b = copied.bytes();
  const std::vector<TokenId> tokens = {TokenId{1}, TokenId{9}, TokenId{30}};
  DecoderOptions options;
  options.n_ctx = 64;
  EXPECT_EQ(all_logits(Model::load(a, "tied.gguf"), options, tokens),
            all_logits(Model::load(b, "copied.gguf"), options, tokens));
  expect_run_answers_alike(a, b);
}

TEST(MalformedModel, LayersBeyondTheCountAreUnused) {  // HYP-08
  TinyModel fewer, whole;
  fewer.set("llama.block_count", 1u);
  whole.set("llama.block_count", 1u);
  std::erase_if(whole.tensors, [](const TinyModel::Tensor& t) { return t.name.starts_with("blk.1."); });
  const Bytes file = fewer.bytes();
  const auto loaded = Model::load(file, "fewer.gguf");
  ASSERT_EQ(loaded->warnings().size(), 1u);
  EXPECT_NE(loaded->warnings()[0].find("9 tensors"), std::string::npos) << loaded->warnings()[0];
  expect_run_answers_alike(file, whole.bytes());
}

TEST(MalformedModel, HeadsOfKeysAreByDefaultAsMany) {  // HYP-02
  TinyModel with({.n_head_kv = 2}), without({.n_head_kv = 2});
  without.erase_key("llama.attention.head_count_kv");
  const Bytes file = without.bytes();
  EXPECT_EQ(Model::load(file, "without.gguf")->config().n_head_kv.at(0), 2u);
  expect_run_answers_alike(file, with.bytes());
}

TEST(MalformedModel, ALargeEpsilonIsAccepted) {  // HYP-12
  const Bytes file = TinyModel().set("llama.attention.layer_norm_rms_epsilon", 1.0f).bytes();
  EXPECT_EQ(greedy(Model::load(file, "large.gguf"), 2).size(), 2u);
  expect_run_answers(file);
}

TEST(MalformedModel, WeightsThatAreNotFiniteNeverBecomeTokens) {
  for (const float value : {kNan, kInf, -kInf}) {
    for (const char* tensor :
         {"blk.0.ffn_down.weight", "blk.1.attn_norm.weight", "output.weight", "token_embd.weight"}) {
      TinyModel model;
      Bytes& data = model.tensor(tensor).data;
      const Bytes bits = to_bytes(value);
      for (std::size_t i = 0; i < 32 * sizeof(float); ++i)  // row 1, which BOS takes of the embedding
        data[1 % (data.size() / 128) * 128 + i] = bits[i % 4];
      const Bytes file = model.bytes();
      const auto loaded = Model::load(file, "bad.gguf");
      SCOPED_TRACE(tensor);
      try {
        greedy(loaded, 1);
        ADD_FAILURE() << value;
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), not_finite) << e.what();
        EXPECT_NE(std::string(e.what()).find("position"), std::string::npos) << e.what();
      }
      expect_run_refuses(file, "are not finite");
    }
  }
}

TEST(MalformedModel, AllZeroWeightsGiveTheLowestId) {
  TinyModel model;
  for (TinyModel::Tensor& t : model.tensors) std::fill(t.data.begin(), t.data.end(), std::byte{0});
  const Bytes file = model.bytes();
  EXPECT_EQ(greedy(Model::load(file, "zero.gguf"), 4), std::vector<TokenId>(4, TokenId{0}));
}

/// Every bit of the metadata flipped, one at a time: an error with a code, or a model that makes a token.
TEST(MalformedModel, AnyFlippedBitEndsWell) {
  TinyModel model({.n_layer = 1});
  Bytes file = model.bytes();
  const std::size_t data_start = gguf::parse(file, "g").data_start;
  std::size_t n_loaded = 0, n_refused = 0;
  const std::size_t step = runs_slowly() ? 37 : 1;
  for (std::size_t bit = 0; bit < data_start * 8; bit += step) {
    file[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    try {
      greedy(Model::load(file, "flipped.gguf"), 1);
      ++n_loaded;
    } catch (const Error&) {
      ++n_refused;
    }
    file[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
  }
  EXPECT_GT(n_loaded, 0u);
  EXPECT_GT(n_refused, 0u);
}

}  // namespace
}  // namespace armature::test
