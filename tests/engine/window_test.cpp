#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/reference.h"
#include "tests/support/table_model.h"

/// Sliding windows across the borders of pages, batches and forks.
namespace armature::test {
namespace {

constexpr const char* kWindow = "phi3.attention.sliding_window";

std::shared_ptr<const Model> load(const Bytes& file, cpu::Features features = cpu::detect()) {
  LoadOptions options;
  options.features = features;
  return Model::load(file, "window.gguf", options);
}

/// n letters from `first` on, in an order without a period.
std::vector<TokenId> letters(std::size_t n, char first = 'a') {
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < n; ++i)
    tokens.push_back(static_cast<TokenId>(first + static_cast<int>(i * i / 3 % 11)));
  return tokens;
}

/// The logits of count_model() behind `seen`, the tokens that its last one sees.
std::vector<double> counted(std::span<const TokenId> seen) {
  std::vector<double> x(kTableHidden, 0.0);
  for (const TokenId t : seen) x[static_cast<std::size_t>(t)] += 1000.0 / static_cast<double>(seen.size());
  x[static_cast<std::size_t>(seen.back())] += 1;
  double squares = 0;
  for (const double value : x) squares += value * value;
  for (double& value : x) value /= std::sqrt(squares / static_cast<double>(kTableHidden));
  return x;
}

/// Expects each token of the sequence to count itself and the window - 1 before it.
void expect_counts(std::span<const TokenId> tokens, std::size_t position, std::size_t window,
                   std::span<const float> logits, const std::string& what) {
  const std::size_t first = position < window ? 0 : position - window + 1;
  const std::vector<double> want = counted(tokens.subspan(first, position - first + 1));
  // A key too many or too few among 300 changes the largest count, of at most 300, by a 300th or more.
  const double tolerance = 1e-3 * *std::max_element(want.begin(), want.end());
  for (std::size_t j = 0; j < kTableVocab; ++j) {
    ASSERT_NEAR(static_cast<double>(logits[j]), want[j], tolerance)
        << what << ", window " << window << ", position " << position << ", token " << j;
  }
}

std::vector<std::uint32_t> windows() {
  if (runs_slowly()) return {5, 64, 100};
  return {1, 5, 63, 64, 65, 128, 200, 300};
}

TEST(Window, IsOneWidthForEveryQueryOfEveryBatch) {
  const std::vector<TokenId> tokens = letters(runs_slowly() ? 150 : 210);
  for (const std::uint32_t window : windows()) {
    const Bytes file = as_phi3(count_model()).set(kWindow, window).bytes();
    const auto model = load(file);
    for (const std::size_t n_ubatch : {1u, 3u, 16u, 512u}) {
      if (runs_slowly() && n_ubatch < 16) continue;
      DecoderOptions options;
      options.n_ctx = 256;
      options.n_ubatch = n_ubatch;
      const std::vector<float> all = all_logits(model, options, tokens);
      for (std::size_t p = 0; p < tokens.size(); ++p) {
        expect_counts(tokens, p, window, std::span(all).subspan(p * kTableVocab, kTableVocab),
                      "micro-batch " + std::to_string(n_ubatch));
      }
    }
  }
}

/// Two sequences that share pages behind, within and before the window, in one batch.
TEST(Window, ForksSeeTheirOwnPast) {
  for (const std::uint32_t window : {7u, 70u, 120u}) {
    const Bytes file = as_phi3(count_model()).set(kWindow, window).bytes();
    DecoderOptions options;
    options.n_ctx = 512;
    Decoder decoder(load(file), options);
    std::vector<TokenId> tokens[2] = {letters(140), letters(140)};
    Sequence first = decoder.new_sequence();
    decoder.prefill(first, tokens[0]);
    tokens[1].resize(90);
    Sequence second = first.fork(90);
    Sequence* const sequences[2] = {&first, &second};
    for (const std::size_t n : {3u, 40u, 1u}) {
      Batch batch;
      for (std::size_t s = 0; s < 2; ++s) {
        for (const TokenId token : letters(n, s == 0 ? 'A' : 'N')) {
          tokens[s].push_back(token);
          batch.push_back({token, sequences[s], true});
        }
      }
      decoder.forward(batch);
      for (std::size_t s = 0; s < 2; ++s) {
        for (std::size_t i = 0; i < n; ++i) {
          expect_counts(tokens[s], tokens[s].size() - n + i, window, decoder.logits(s * n + i),
                        s == 0 ? "first" : "second");
        }
      }
    }
  }
}

/// With one layer, and RoPE a matter of distance alone, the last of W tokens that see all is the same as any
/// token with a window of W behind the same W tokens. Here q and k are not zero and heads share keys.
TEST(Window, IsTheAttentionOfASequenceOfItsLastTokens) {
  const TinyModel random = as_phi3(TinyModel({.n_layer = 1, .n_head = 4, .n_head_kv = 2, .n_ctx = 256}));
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < 150; ++i) tokens.push_back(static_cast<TokenId>(3 + i * i / 5 % 60));
  DecoderOptions options;
  options.n_ctx = 256;
  options.type_k = options.type_v = gguf::TensorType::F32;
  const Bytes open_file = random.bytes();
  for (const Level& level : levels()) {
    const auto open = load(open_file, level.features);
    const std::size_t n_vocab = open->config().n_vocab;
    for (const std::uint32_t window : {3u, 66u}) {
      const Bytes file = TinyModel(random).set(kWindow, window).bytes();
      const std::vector<float> all = all_logits(load(file, level.features), options, tokens);
      for (const std::size_t end : {10u, 64u, 65u, 68u, 128u, 131u, 150u}) {
        const std::size_t n = std::min<std::size_t>(end, window);
        const std::vector<float> want = all_logits(open, options, std::span(tokens).subspan(end - n, n));
        for (std::size_t j = 0; j < n_vocab; ++j) {
          ASSERT_NEAR(all[(end - 1) * n_vocab + j], want[(n - 1) * n_vocab + j], 1e-3)
              << level.name << ", window " << window << ", end " << end << ", token " << j;
        }
      }
    }
  }
}

TEST(Window, IsNoneAtZeroAndBeyondAllPositions) {
  const TinyModel model = as_phi3(TinyModel());
  const std::vector<TokenId> tokens = letters(40, '!');
  DecoderOptions options;
  options.n_ctx = 64;
  const Bytes open = model.bytes();
  const std::vector<float> want = all_logits(load(open), options, tokens);
  for (const std::uint32_t window : {0u, 40u, 64u, 0xffffffffu}) {
    const Bytes file = TinyModel(model).set(kWindow, window).bytes();
    EXPECT_EQ(all_logits(load(file), options, tokens), want) << window;
  }
  const Bytes narrow = TinyModel(model).set(kWindow, 39u).bytes();
  EXPECT_NE(all_logits(load(narrow), options, tokens), want);
}

TEST(Window, IsTold) {
  const TinyModel model = as_phi3(TinyModel());
  const Bytes open = model.bytes(), file = TinyModel(model).set(kWindow, 16u).bytes();
  EXPECT_TRUE(load(open)->notes().empty());
  const auto notes = load(file)->notes();
  ASSERT_EQ(notes.size(), 1u);
  for (const char* text : {"2 of 2 layers", "last 16 positions", kWindow})
    EXPECT_NE(notes[0].find(text), std::string::npos) << notes[0];

  LoadOptions options;
  options.overrides = {gguf::parse_override(std::string(kWindow) + "=int:0")};
  EXPECT_TRUE(Model::load(file, "window.gguf", options)->notes().empty());
}

TEST(Window, NotAppliedIsTold) {
  const auto notes = [](std::uint32_t window) {
    return load(TinyModel().set("llama.attention.sliding_window", window).bytes())->notes();
  };
  ASSERT_EQ(notes(16).size(), 1u);
  EXPECT_NE(notes(16)[0].find("llama.attention.sliding_window is not applied"), std::string::npos);
  for (const std::uint32_t no_limit : {0u, 0xffffffffu}) EXPECT_TRUE(notes(no_limit).empty()) << no_limit;
}

}  // namespace
}  // namespace armature::test
