#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "engine/models/registry.h"
#include "tests/engine/reference.h"

/// Tiny models of each supported architecture against logits that were computed in double precision.
namespace armature::test {
namespace {

constexpr const char* kFolder = "/vectors/arch/";

struct Case {
  std::string name;
  nlohmann::json expect;
  std::vector<TokenId> tokens;
  std::shared_ptr<const Model> model;
  std::vector<double> exact;  // logits of the positions below
  std::vector<std::size_t> positions;
  double max_abs_logit;
};

bool is_supported(const std::string& arch) {
  for (const Architecture& a : architectures()) {
    if (a.name == arch) return true;
  }
  return false;
}

/// Names of the cases for architectures that the engine runs.
std::vector<std::string> case_names() {
  std::vector<std::string> names;
  if (!has_data(kFolder)) return names;
  const std::string suffix = ".expect.json";
  for (const auto& entry : std::filesystem::directory_iterator(data_path(kFolder))) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(suffix) || file.starts_with("batch-")) continue;
    if (is_supported(read_json(kFolder + file)["arch"]))
      names.push_back(file.substr(0, file.size() - suffix.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The window of a file taken away, as for the cases named "...-ignored".
gguf::KeyOverride no_window(const std::string& arch) {
  return gguf::parse_override(arch + ".attention.sliding_window=int:0");
}

Case load_case(const std::string& name, cpu::Features features) {
  Case c;
  c.name = name;
  c.expect = read_json(kFolder + name + ".expect.json");
  c.tokens = to_tokens(c.expect["tokens"]);
  LoadOptions options;
  options.features = features;
  if (name.ends_with("-ignored")) options.overrides = {no_window(c.expect["arch"])};
  c.model = Model::load(data_path(kFolder + c.expect["model"].get<std::string>()), options);
  c.exact = read_array<double>(kFolder + c.expect["logits"]["exact"].get<std::string>());
  for (const auto& p : c.expect["logits"]["positions"]) c.positions.push_back(p);
  c.max_abs_logit = c.expect["agreement"]["max_abs_logit"];
  return c;
}

struct Difference {
  double max = 0, rms = 0;
};

Difference compare(const Case& c, const std::vector<float>& logits) {
  const std::size_t n_vocab = c.model->config().n_vocab;
  Difference d;
  for (std::size_t i = 0; i < c.positions.size(); ++i) {
    for (std::size_t j = 0; j < n_vocab; ++j) {
      const double e =
          std::fabs(static_cast<double>(logits[c.positions[i] * n_vocab + j]) - c.exact[i * n_vocab + j]);
      d.max = std::max(d.max, e);
      d.rms += e * e;
    }
  }
  d.rms = std::sqrt(d.rms / static_cast<double>(c.positions.size() * n_vocab));
  return d;
}

void check_logits(const Case& c, gguf::TensorType kv, std::size_t n_ubatch, const std::string& level) {
  DecoderOptions options;
  options.n_ctx = c.expect["n_ctx"];
  options.n_ubatch = n_ubatch;
  options.n_threads = 2;
  options.type_k = options.type_v = kv;
  const Difference d = compare(c, all_logits(c.model, options, c.tokens));
  const std::string what = c.name + ", " + level + ", KV " + std::string(gguf::type_info(kv).name) +
                           ", micro-batch " + std::to_string(n_ubatch);
  if (rounds_activations(*c.model, n_ubatch <= kFewRows ? Regime::Few : Regime::Many)) {
    EXPECT_LE(d.rms, 2 * c.expect["agreement"]["peer_minus_exact_rms"].get<double>()) << what;
  } else {
    EXPECT_LE(d.max, (kv == gguf::TensorType::F32 ? 1e-4 : 1e-2) * c.max_abs_logit) << what;
  }
}

/// All rows at once and one at a time; with a window also blocks that begin within it.
std::vector<std::size_t> micro_batches(const Model& model) {
  if (model.config().n_swa[0] == 0) return {512, 1};
  return {512, 16, 3, 1};
}

class ArchitectureTest : public testing::TestWithParam<std::string> {};

TEST_P(ArchitectureTest, LogitsAgreeWithDoublePrecision) {
  for (const Level& level : levels()) {
    const Case c = load_case(GetParam(), level.features);
    for (const gguf::TensorType kv : {gguf::TensorType::F32, gguf::TensorType::F16}) {
      for (const std::size_t n_ubatch : micro_batches(*c.model)) check_logits(c, kv, n_ubatch, level.name);
    }
  }
}

/// The smallest margin that the arithmetic can resolve: twice its error of a logit.
double resolvable(const Case& c) {
  const bool rounded =
      rounds_activations(*c.model, Regime::Few) || rounds_activations(*c.model, Regime::Many);
  if (rounded) return 12 * c.expect["agreement"]["peer_minus_exact_rms"].get<double>();
  return 2e-4 * c.max_abs_logit;
}

TEST_P(ArchitectureTest, GreedyTokensAreThoseOfTheReference) {
  for (const Level& level : levels()) {
    const Case c = load_case(GetParam(), level.features);
    const std::vector<TokenId> want = to_tokens(c.expect["greedy"]["tokens"]);
    DecoderOptions options;
    options.n_ctx = c.expect["n_ctx"];
    options.n_ctx = std::max(options.n_ctx, c.tokens.size() + want.size());
    options.type_k = options.type_v = gguf::TensorType::F32;
    Decoder decoder(c.model, options);
    Sequence sequence = decoder.new_sequence();
    decoder.prefill(sequence, c.tokens);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      if (c.expect["greedy"]["margin"][i].get<double>() > resolvable(c)) {
        EXPECT_EQ(best(decoder.logits(0)), want[i]) << c.name << ", " << level.name << ", step " << i;
        ++compared;
      }
      decoder.forward({{want[i], &sequence, true}});
    }
    EXPECT_GT(compared, 0u) << c.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Vectors, ArchitectureTest, testing::ValuesIn(case_names()), [](const auto& param) {
  std::string name = param.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ArchitectureTest);

TEST(ArchitectureVectors, AreThere) {
  if (!has_data(kFolder)) GTEST_SKIP() << "no reference models in " << data_path(kFolder);
  EXPECT_GE(case_names().size(), 20u);
}

/// The prompt of the case without a window, on the file as it is: the window acts where it is not taken away.
TEST(ArchitectureVectors, AWindowChangesLogits) {
  if (!has_data(kFolder)) GTEST_SKIP() << "no reference models in " << data_path(kFolder);
  Case c = load_case("phi3-window-ignored", cpu::detect());
  c.model = Model::load(data_path(kFolder + c.expect["model"].get<std::string>()));
  DecoderOptions options;
  options.n_ctx = c.expect["n_ctx"];
  EXPECT_GT(compare(c, all_logits(c.model, options, c.tokens)).max, 0.1 * c.max_abs_logit);
}

TEST(ArchitectureVectors, SequencesInOneBatchGiveTheirOwnTokens) {
  const std::string file = std::string(kFolder) + "batch-llama-gqa.expect.json";
  if (!has_data(file)) GTEST_SKIP() << "no reference models in " << data_path(kFolder);
  const nlohmann::json expect = read_json(file);
  for (const Level& level : levels()) {
    LoadOptions load;
    load.features = level.features;
    const auto model = Model::load(data_path(kFolder + expect["model"].get<std::string>()), load);
    DecoderOptions options;
    options.n_ctx = 1024;
    options.type_k = options.type_v = gguf::TensorType::F32;
    Decoder decoder(model, options);
    std::vector<Sequence> sequences;
    for (std::size_t i = 0; i < expect["sequences"].size(); ++i) sequences.push_back(decoder.new_sequence());

    Batch batch;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      const auto tokens = to_tokens(expect["sequences"][i]["tokens"]);
      for (std::size_t j = 0; j < tokens.size(); ++j)
        batch.push_back({tokens[j], &sequences[i], j + 1 == tokens.size()});
    }
    decoder.forward(batch);
    const std::size_t n_steps = expect["sequences"][0]["greedy"].size();
    for (std::size_t step = 0; step < n_steps; ++step) {
      batch.clear();
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        const auto want = static_cast<TokenId>(expect["sequences"][i]["greedy"][step].get<int>());
        if (expect["sequences"][i]["margin"][step].get<double>() > 1e-3) {
          EXPECT_EQ(best(decoder.logits(i)), want) << level.name << ", sequence " << i << ", step " << step;
        }
        batch.push_back({want, &sequences[i], true});
      }
      decoder.forward(batch);
    }
  }
}

}  // namespace
}  // namespace armature::test
