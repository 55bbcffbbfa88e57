#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "gguf/writer.h"
#include "tests/engine/reference.h"
#include "tests/support/table_model.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

/// Inputs that users of engines like this one reported as going wrong, with the values that are right.
namespace armature::test {
namespace {

std::vector<TokenId> bytes_as_tokens(std::string_view text) {
  std::vector<TokenId> tokens;
  for (const char c : text) tokens.push_back(static_cast<TokenId>(static_cast<unsigned char>(c)));
  return tokens;
}

/// Attention is uniform over what is visible, so the logits count the prompt: a key too many or too few
/// shows.
TEST(Reports, BatchSizeDoesNotChangeWhatIsSeen) {
  const Bytes file = count_model().bytes();
  const std::vector<TokenId> prompt = bytes_as_tokens("aaaaaabbbc");
  for (const Level& level : levels()) {
    LoadOptions load;
    load.features = level.features;
    const auto model = Model::load(file, "count.gguf", load);
    for (const std::size_t n_ubatch : {1u, 2u, 3u, 7u, 9u, 10u, 512u}) {
      DecoderOptions options;
      options.n_ctx = 64;
      options.n_ubatch = n_ubatch;
      const auto all = all_logits(model, options, prompt);
      const std::span<const float> last(all.data() + 9 * kTableVocab, kTableVocab);
      const double unit = static_cast<double>(last['a']) / 600;
      EXPECT_GT(unit, 0);
      EXPECT_NEAR(last['b'] / unit, 300, 0.1) << level.name << ", micro-batch " << n_ubatch;
      EXPECT_NEAR(last['c'] / unit, 101, 0.1) << level.name << ", micro-batch " << n_ubatch;
    }
  }
}

/// `aaaaaabbbc` where each query sees `window` keys; 0: all.
struct WindowCase {
  std::uint32_t window;
  double a, b, c;  // logits at the last token, in their proportion
};
constexpr WindowCase kWindowCases[] = {
    {4, 0, 750, 251}, {10, 600, 300, 101}, {11, 600, 300, 101}, {0, 600, 300, 101}};

void expect_in_proportion(std::span<const float> logits, const WindowCase& want, const std::string& what) {
  const double sum =
      static_cast<double>(logits['a']) + static_cast<double>(logits['b']) + static_cast<double>(logits['c']);
  const double unit = sum / (want.a + want.b + want.c);
  EXPECT_GT(unit, 0) << what;
  EXPECT_NEAR(logits['a'] / unit, want.a, 0.1) << what;
  EXPECT_NEAR(logits['b'] / unit, want.b, 0.1) << what;
  EXPECT_NEAR(logits['c'] / unit, want.c, 0.1) << what;
  EXPECT_EQ(static_cast<char>(best(logits)), want.a > want.b ? 'a' : 'b') << what;
}

TEST(Reports, AWindowHidesWhatIsFurtherBack) {
  const std::vector<TokenId> prompt = bytes_as_tokens("aaaaaabbbc");
  for (const WindowCase& c : kWindowCases) {
    TinyModel count = as_phi3(count_model());
    if (c.window > 0) count.set("phi3.attention.sliding_window", c.window);
    const Bytes file = count.bytes();
    for (const Level& level : levels()) {
      LoadOptions load;
      load.features = level.features;
      const auto model = Model::load(file, "count.gguf", load);
      const std::string what = level.name + ", window " + std::to_string(c.window);
      DecoderOptions options;
      options.n_ctx = 64;
      for (const std::size_t n_ubatch : {1u, 3u, 16u}) {
        options.n_ubatch = n_ubatch;
        const auto all = all_logits(model, options, prompt);
        expect_in_proportion({all.data() + 9 * kTableVocab, kTableVocab}, c,
                             what + ", micro-batch " + std::to_string(n_ubatch));
      }
      Decoder decoder(model, options);
      Sequence sequence = decoder.new_sequence();
      for (const TokenId token : prompt) decoder.forward({{token, &sequence, true}});
      expect_in_proportion(decoder.logits(0), c, what + ", token by token");
    }
  }
}

std::vector<float> logits_of(const std::shared_ptr<const Model>& model) {
  DecoderOptions options;
  options.n_ctx = 64;
  return all_logits(
      model, options,
      std::vector<TokenId>{TokenId{1}, TokenId{9}, TokenId{30}, TokenId{7}, TokenId{8}, TokenId{60}});
}

/// One model in files that differ in padding, alignment, order and place only.
TEST(Reports, LayoutOfTheFileDoesNotChangeTheBits) {
  const auto variant = [](const std::function<void(TinyModel&)>& change) {
    TinyModel model;
    change(model);
    return model.bytes();
  };
  const Bytes plain = TinyModel().bytes();
  std::vector<std::pair<std::string, Bytes>> files;
  for (const std::size_t n : {31u, 4096u}) {
    files.push_back({std::to_string(n) + " bytes at the end", plain});
    files.back().second.resize(plain.size() + n);
  }
  for (const std::uint32_t alignment : {1u, 64u, 4096u}) {
    files.push_back({"alignment " + std::to_string(alignment), variant([=](TinyModel& m) {
                       m.set("general.alignment", alignment).alignment = alignment;
                       m.set("general.name",
                             "a name of odd length..");  // so that F32 data begin at an odd address
                     })});
  }
  files.push_back(
      {"reversed order", variant([](TinyModel& m) { std::reverse(m.tensors.begin(), m.tensors.end()); })});

  const TempDir folder;
  const auto want = logits_of(Model::load(plain, "plain.gguf"));
  for (const auto& [name, bytes] : files) {
    const std::string path = folder.write("model.gguf", bytes);
    for (const gguf::Access access : {gguf::Access::Map, gguf::Access::Read}) {
      LoadOptions load;
      load.access = access;
      const auto got = logits_of(Model::load(path, load));
      ASSERT_EQ(got.size(), want.size());
      EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(float)), 0) << name;
    }
  }
}

/// An embedding of one type, as the output matrix too: left out, or there a second time.
TEST(Reports, TiedAndCopiedOutputGiveTheSameBits) {
  for (const gguf::TensorType type : {gguf::TensorType::F32, gguf::TensorType::F16, gguf::TensorType::Q8_0}) {
    TinyModel tied;
    const std::vector<std::uint64_t> shape = tied.tensor("token_embd.weight").shape;
    Bytes table(shape[0] * gguf::row_bytes(type, shape[1]));
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::byte>((i * 37 + i / 7) % 60);
    tied.set_tensor("token_embd.weight", shape, type, table);
    TinyModel copied = tied;
    tied.erase_tensor("output.weight");
    copied.set_tensor("output.weight", shape, type, table);
    const Bytes a = tied.bytes(), b = copied.bytes();
    EXPECT_EQ(logits_of(Model::load(a, "tied.gguf")), logits_of(Model::load(b, "copied.gguf")))
        << gguf::type_info(type).name;
  }
}

TEST(Reports, Bf16WeightsReadBackAsTheyAre) {
  for (const Level& level : levels()) {
    const std::uint16_t bits[] = {0x47c0, 0x0001, 0x8000};
    float values[3];
    kernels::choose_dequantize(gguf::TensorType::BF16, level.features)
        .run({.out = values, .blocks = reinterpret_cast<const std::uint8_t*>(bits), .k = 3});
    EXPECT_EQ(values[0], 98304.0f);
    EXPECT_EQ(values[1], std::ldexp(1.0f, -133));
    EXPECT_EQ(values[2], 0.0f);
    EXPECT_TRUE(std::signbit(values[2]));
  }
}

}  // namespace
}  // namespace armature::test
