// `armature plan`: what it says is what a decoder then takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/decoder.h"
#include "tests/support/program.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

using Args = std::vector<std::string>;

class PlanCommand : public testing::Test {
 protected:
  Outcome plan(const Args& args) const {
    Args all = {"plan", "-m", path_};
    all.insert(all.end(), args.begin(), args.end());
    return run_program(all);
  }
  nlohmann::json plan_json(Args args) const {
    args.emplace_back("--json");
    const Outcome outcome = plan(args);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json();
  }

  TempDir folder_;
  std::string path_ = folder_.write("model.gguf", TinyModel({.n_ctx = 4096}));
};

TEST_F(PlanCommand, BytesAreThoseOfTheDecoder) {
  const auto model = Model::load(path_);
  for (const auto& [n_ctx, n_sequences] : {std::pair{4096, 1}, {1000, 3}, {64, 64}}) {
    const auto json = plan_json({"-c", std::to_string(n_ctx), "-np", std::to_string(n_sequences), "-t", "2",
                                 "-ub", "128", "-ctk", "f32"});
    DecoderOptions options;
    options.n_ctx = static_cast<std::size_t>(n_ctx);
    options.n_sequences = static_cast<std::size_t>(n_sequences);
    options.n_threads = 2;
    options.n_ubatch = 128;
    options.type_k = gguf::TensorType::F32;
    const Decoder decoder(model, options);
    const auto& bytes = json["bytes"];
    EXPECT_EQ(bytes["weights"], model->bytes());
    EXPECT_EQ(bytes["weights"], std::filesystem::file_size(path_));
    EXPECT_EQ(bytes["kv"], decoder.memory().kv_bytes) << n_ctx;
    EXPECT_EQ(bytes["scratch"], decoder.memory().scratch_bytes) << n_ctx;
    // 2 layers, one head of 16: keys of 4 bytes, values of 2.
    EXPECT_EQ(bytes["kv_per_token"], 2 * 16 * (4 + 2));
    EXPECT_EQ(bytes["logits"], (n_sequences - 1) * 64 * 4);
    EXPECT_EQ(bytes["needed"],
              bytes["kv"].get<int>() + bytes["scratch"].get<int>() + bytes["logits"].get<int>());
    EXPECT_EQ(bytes["total"], bytes["needed"].get<int>() + bytes["weights"].get<int>());
    EXPECT_EQ(json["context"]["n_ctx_per_sequence"], n_ctx / n_sequences);
    EXPECT_EQ(json["context"]["type_k"], "f32");
    EXPECT_EQ(json["batch"]["decoding"], n_sequences <= 4 ? "few rows" : "many rows");
    EXPECT_EQ(json["fits"], true);
  }
}

TEST_F(PlanCommand, WeightsThatAreReadOrLockedAreNeeded) {
  for (const char* flag : {"--no-mmap", "--mlock"}) {
    const auto json = plan_json({flag});
    EXPECT_EQ(json["bytes"]["needed"], json["bytes"]["total"]) << flag;
  }
}

TEST_F(PlanCommand, ContextAndThreadsHaveReasons) {
  const auto chosen = plan_json({});
  EXPECT_EQ(chosen["context"]["n_ctx"], 4096);
  EXPECT_EQ(chosen["context"]["reason"], "the model's limit");
  const auto asked = plan_json({"-c", "100", "-t", "3", "-tb", "5"});
  EXPECT_EQ(asked["context"]["n_ctx"], 100);
  EXPECT_EQ(asked["batch"]["n_ubatch"], 100);
  EXPECT_THAT(asked["context"]["reason"].get<std::string>(), HasSubstr("as asked"));
  EXPECT_EQ(asked["threads"], 3);
  EXPECT_EQ(asked["threads_batch"], 5);
}

TEST_F(PlanCommand, KernelsWithTheReasonForNoBetterOnes) {
  const auto json = plan_json({"--isa", "scalar"});
  ASSERT_FALSE(json["kernels"].empty());
  for (const auto& kernel : json["kernels"]) {
    EXPECT_EQ(kernel["kernel"], "scalar");
    for (const auto& row : kernel["not_taken"]) {
      const bool there =
          cpu::describe(cpu::detect()).find(row["kernel"].get<std::string>()) != std::string::npos;
      EXPECT_EQ(row["reason"], there ? "masked" : "not in this CPU") << row;
    }
  }
  EXPECT_EQ(json["kernels"][0]["operation"], "matmul");
  EXPECT_EQ(json["kernels"][0]["type"], "F32");
  EXPECT_EQ(json["kernels"][0]["rows"], "few rows");
  EXPECT_EQ(json["kernels"][0]["tensors"], 15);
  if (cpu::detect() == cpu::kNone) GTEST_SKIP() << "there is nothing to mask";
  EXPECT_THAT(plan({"--isa", "scalar"}).out, HasSubstr("masked by --isa"));
}

TEST_F(PlanCommand, TextHasEveryPart) {
  const std::string text = plan({"-c", "512", "-np", "2"}).out;
  EXPECT_THAT(
      text,
      HasSubstr("context   512 (as asked; the model's limit is 4096), shared by 2 sequences, 256 each\n"));
  EXPECT_THAT(text, ContainsRegex("  weights +[0-9.]+ kB  mapped\n"));
  EXPECT_THAT(text, ContainsRegex("  KV cache +[0-9.]+ kB  128 B for each token, keys f16, values f16\n"));
  EXPECT_THAT(text, ContainsRegex("  matmul +F32 +few rows +15 "));
}

/// A small file of which a long context takes terabytes: one layer with a head of 16384.
TinyModel wide_head() {
  constexpr std::uint32_t kHead = 16384;
  TinyModel model({.n_layer = 1, .n_head = 1, .n_ctx = 1u << 24});
  model.set("llama.attention.key_length", kHead).set("llama.rope.dimension_count", kHead);
  for (const char* name : {"blk.0.attn_q.weight", "blk.0.attn_k.weight", "blk.0.attn_v.weight"})
    model.set_tensor(name, {kHead, 32}, gguf::TensorType::F16, Bytes(kHead * 32 * 2));
  model.set_tensor("blk.0.attn_output.weight", {32, kHead}, gguf::TensorType::F16, Bytes(kHead * 32 * 2));
  return model;
}

TEST_F(PlanCommand, WhatDoesNotFitIsShownAndFails) {
  const Args args = {"plan", "-m", folder_.write("wide.gguf", wide_head()), "-c", "16777216", "-ctk", "f32",
                     "-ctv", "f32"};
  const Outcome text = run_program(args);
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out, HasSubstr("too little"));
  EXPECT_THAT(text.err, HasSubstr("error: 2.2 TB must be allocated"));
  Args json = args;
  json.emplace_back("--json");
  const Outcome outcome = run_program(json);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.json()["fits"], false);
  EXPECT_EQ(outcome.json()["bytes"]["kv"], std::uint64_t{2 * 16384 * 4} << 24);
}

TEST_F(PlanCommand, RefusesWhatADecoderWould) {
  const Outcome context = plan({"-c", "16777217"});
  EXPECT_EQ(context.status, 1);
  EXPECT_THAT(context.err, HasSubstr("16777217"));
  const Outcome shared = plan({"-c", "2", "-np", "3"});
  EXPECT_EQ(shared.status, 1);
  EXPECT_THAT(shared.err, HasSubstr("context of 2 positions for 3 sequences"));
  EXPECT_EQ(plan({"-np", "0"}).status, 2);
  EXPECT_EQ(plan({"word"}).status, 2);
  EXPECT_EQ(run_program({"plan", "-m", "no-such-file"}).status, 1);
}

TEST(PlanOfBuiltin, NeedsNoFile) {
  const Outcome outcome = run_program({"plan"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("'built-in'"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("error")));
}

}  // namespace
}  // namespace armature::test
