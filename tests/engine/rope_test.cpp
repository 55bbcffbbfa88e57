#include "engine/rope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/model.h"
#include "tests/support/tiny_model.h"

/// The factors of longrope: whose files use them, and which of the two sets a context takes.
namespace armature::test {
namespace {

constexpr std::size_t kOriginal = 32;
constexpr float kShortFactor = 1.5f, kLongFactor = 4.0f;
constexpr double kAttnFactor = 1.25;

TinyModel with_factors(TinyModel model, const std::string& architecture, std::uint64_t n_pairs = 8) {
  for (const auto& [name, factor] : {std::pair{"rope_factors_short.weight", kShortFactor},
                                     std::pair{"rope_factors_long.weight", kLongFactor}}) {
    model.add_tensor(name, {n_pairs}).set_weights(name, std::vector<float>(n_pairs, factor));
  }
  model.set(architecture + ".rope.scaling.original_context_length", std::uint32_t{kOriginal});
  model.set(architecture + ".rope.scaling.attn_factor", static_cast<float>(kAttnFactor));
  return model;
}

/// cos of each pair at a position, where pair i turns by base^(-2i / n_rot) / factor per position.
void expect_factor(const Model& model, std::size_t n_ctx, double factor) {
  const Rope rope(model.config(), model.weights(), n_ctx);
  const auto n_rot = static_cast<double>(model.config().n_rot);
  std::vector<float> cos(rope.n_pairs()), sin(rope.n_pairs());
  for (const std::size_t position : {0u, 1u, 20u, 1000u}) {
    rope.angles(position, cos.data(), sin.data());
    for (std::size_t i = 0; i < rope.n_pairs(); ++i) {
      const double angle =
          static_cast<double>(position) * std::pow(10000.0, -2.0 * static_cast<double>(i) / n_rot) / factor;
      EXPECT_NEAR(cos[i], kAttnFactor * std::cos(angle), 1e-6) << n_ctx << ", " << position << ", " << i;
      EXPECT_NEAR(sin[i], kAttnFactor * std::sin(angle), 1e-6) << n_ctx << ", " << position << ", " << i;
    }
  }
}

void expect_short_then_long(const Model& model) {
  for (const std::size_t n_ctx : {1u, 31u, 32u}) expect_factor(model, n_ctx, kShortFactor);
  for (const std::size_t n_ctx : {33u, 4096u}) expect_factor(model, n_ctx, kLongFactor);
}

TEST(Rope, Phi3TakesTheFactorsThatAreThere) {
  TinyModel partial = as_phi3(TinyModel());
  partial.set("phi3.rope.dimension_count", 12u);
  const Bytes file = with_factors(partial, "phi3", 6).bytes();
  const auto model = Model::load(file, "phi3.gguf");
  EXPECT_TRUE(model->warnings().empty());
  EXPECT_EQ(model->config().n_rot, 12u);
  expect_short_then_long(*model);

  const auto notes = model->notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("32 positions"), std::string::npos) << notes[0];
}

TEST(Rope, OthersTakeThemWhenTheTypeSaysSo) {
  TinyModel llama = with_factors(TinyModel(), "llama");
  const Bytes without = llama.bytes();
  const auto unused = Model::load(without, "llama.gguf");
  ASSERT_EQ(unused->warnings().size(), 1u);
  EXPECT_NE(unused->warnings()[0].find("2 tensors are not used"), std::string::npos);
  for (const std::size_t n_ctx : {32u, 33u}) expect_factor(*unused, n_ctx, 1.0);
  EXPECT_TRUE(unused->notes().empty());

  const Bytes with = llama.set("llama.rope.scaling.type", "longrope").bytes();
  expect_short_then_long(*Model::load(with, "llama.gguf"));
}

TEST(Rope, AFactorOfTheScalingDividesToo) {
  TinyModel phi3 = with_factors(as_phi3(TinyModel()), "phi3");
  const Bytes file = phi3.set("phi3.rope.scaling.factor", 2.0f).bytes();
  expect_factor(*Model::load(file, "phi3.gguf"), 32, 2.0 * kShortFactor);
  expect_factor(*Model::load(file, "phi3.gguf"), 33, 2.0 * kLongFactor);
}

TEST(Rope, RopeFreqsGoBeforeTheFactors) {
  TinyModel phi3 = with_factors(as_phi3(TinyModel()), "phi3");
  phi3.add_tensor("rope_freqs.weight", {8}).set_weights("rope_freqs.weight", std::vector<float>(8, 3.0f));
  const Bytes file = phi3.bytes();
  expect_factor(*Model::load(file, "phi3.gguf"), 33, 3.0 * kLongFactor);
}

}  // namespace
}  // namespace armature::test
