#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/reference.h"

/// A real model, and the built-in one, against their reference texts: ids, greedy tokens, logits.
namespace armature::test {
namespace {

/// How far the engine's arithmetic may be from the exact one; the numbers are shares of the largest logit and
/// margins of the greedy choice.
struct Rule {
  double max_share;  // largest difference, or 0
  double rms_share;  // RMS difference, or 0
  double margin;
};
constexpr Rule kExact{1e-4, 0, 0.01}, kHalfKv{4e-3, 0, 0.1}, kRounded{0, 0.015, 0.6};

Rule rule_for(const Model& model, gguf::TensorType kv) {
  if (rounds_activations(model, Regime::Few) || rounds_activations(model, Regime::Many)) return kRounded;
  return kv == gguf::TensorType::F32 ? kExact : kHalfKv;
}

void check_logits(const nlohmann::json& c, std::span<const float> got, std::size_t n_vocab, const Rule& rule,
                  const std::string& what) {
  const auto want = read_array<float>("/models/" + c["logits"].get<std::string>());
  const std::size_t first = c["logits_positions"][0];
  double max_error = 0, sum = 0, largest = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double e = std::fabs(static_cast<double>(got[first * n_vocab + i]) - static_cast<double>(want[i]));
    max_error = std::max(max_error, e);
    sum += e * e;
    largest = std::max(largest, std::fabs(static_cast<double>(want[i])));
  }
  if (rule.max_share > 0) {
    EXPECT_LE(max_error / largest, rule.max_share) << what;
  } else {
    EXPECT_LE(std::sqrt(sum / static_cast<double>(want.size())) / largest, rule.rms_share) << what;
  }
}

void check_case(const nlohmann::json& c, const std::shared_ptr<const Model>& model,
                const DecoderOptions& options, std::size_t n_steps, const std::string& what) {
  const Rule rule = rule_for(*model, options.type_k);
  const std::vector<TokenId> ids = to_tokens(c["ids"]), greedy = to_tokens(c["greedy"]);
  if (c.contains("logits")) {
    check_logits(c, all_logits(model, options, ids), model->config().n_vocab, rule, what + " logits");
  }
  Decoder decoder(model, options);
  Sequence sequence = decoder.new_sequence();
  decoder.prefill(sequence, ids);
  for (std::size_t i = 0; i < n_steps; ++i) {
    if (c["margin"][i].get<double>() > rule.margin) {
      EXPECT_EQ(best(decoder.logits(0)), greedy[i]) << what << ", step " << i;
    }
    decoder.forward({{greedy[i], &sequence, true}});
  }
}

struct ModelFiles {
  const char* model;
  std::vector<const char*> cases;
};

void check_model(const ModelFiles& files, std::size_t scalar_limit) {
  if (!has_data(files.model)) GTEST_SKIP() << "no model " << data_path(files.model);
  for (const Level& level : levels()) {
    // The scalar rows are the same code everywhere; tiny models show that they work here.
    if (runs_slowly() && level.features == cpu::kNone) continue;
    LoadOptions load;
    load.features = level.features;
    const auto model = Model::load(data_path(files.model), load);
    DecoderOptions options;
    options.n_ctx = 1024;
    options.n_threads = 2;
    // The scalar rows with f32 keys and values are held to the strictest rule.
    if (level.features == cpu::kNone) options.type_k = options.type_v = gguf::TensorType::F32;
    for (const char* name : files.cases) {
      for (const nlohmann::json& c : read_json_lines(name)) {
        const bool is_slow = level.features == cpu::kNone || runs_slowly();
        if (is_slow && c["ids"].size() > scalar_limit) continue;
        if (c["ids"].size() + c["greedy"].size() > model->config().n_ctx_train) continue;
        check_case(c, model, options, is_slow ? 4 : c["greedy"].size(),
                   level.name + ", " + c["name"].get<std::string>());
      }
      if (runs_slowly()) break;
    }
  }
}

TEST(SmolLM2, MatchesTheReference) {
  check_model({"/models/SmolLM2-135M-Instruct.Q4_1.gguf",
               {"/models/smollm2.cases.jsonl", "/models/smollm2-chat.cases.jsonl"}},
              runs_slowly() ? 5 : 10);
}

TEST(BuiltInModel, MatchesTheReference) {
  check_model({"/models/armature-tiny.gguf", {"/models/tiny.cases.jsonl", "/models/tiny-chat.cases.jsonl"}},
              64);
}

TEST(SmolLM2, GreedyChoiceDoesNotDependOnTheMicroBatch) {
  const std::string file = "/models/SmolLM2-135M-Instruct.Q4_1.gguf";
  if (!has_data(file)) GTEST_SKIP() << "no model " << data_path(file);
  if (runs_slowly()) GTEST_SKIP() << "too slow in this build";
  const auto model = Model::load(data_path(file));
  for (const nlohmann::json& c : read_json_lines("/models/smollm2.cases.jsonl")) {
    if (c["name"] != "code" && c["name"] != "unicode") continue;
    for (const std::size_t n_ubatch : {1u, 7u, 64u, 512u}) {
      DecoderOptions options;
      options.n_ctx = 256;
      options.n_threads = 2;
      options.n_ubatch = n_ubatch;
      check_case(c, model, options, 64, "micro-batch " + std::to_string(n_ubatch));
    }
  }
}

}  // namespace
}  // namespace armature::test
