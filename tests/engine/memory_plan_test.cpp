#include <gtest/gtest.h>

#include "engine/decoder.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

class MemoryPlanTest : public testing::Test {
 protected:
  static DecoderOptions options(std::size_t n_ctx, std::size_t n_sequences) {
    DecoderOptions o;
    o.n_ctx = n_ctx;
    o.n_sequences = n_sequences;
    return o;
  }

  Bytes file_ = TinyModel({.n_ctx = 4096}).bytes();
  std::shared_ptr<const Model> model_ = Model::load(file_, "tiny.gguf");
};

TEST_F(MemoryPlanTest, IsWhatTheDecoderTakes) {
  for (const auto& [n_ctx, n_sequences] :
       {std::pair{1u, 1u}, {64u, 1u}, {65u, 1u}, {1000u, 1u}, {1000u, 7u}, {4096u, 64u}}) {
    const MemoryPlan plan = plan_memory(*model_, options(n_ctx, n_sequences));
    const Decoder decoder(model_, options(n_ctx, n_sequences));
    EXPECT_EQ(plan.kv_bytes, decoder.memory().kv_bytes) << n_ctx << " " << n_sequences;
    EXPECT_EQ(plan.scratch_bytes, decoder.memory().scratch_bytes) << n_ctx << " " << n_sequences;
    EXPECT_EQ(plan.n_pages, decoder.kv_cache().n_pages()) << n_ctx << " " << n_sequences;
    EXPECT_EQ(plan.kv_bytes, plan.n_pages * decoder.kv_cache().page_bytes());
    if (n_sequences > 1) continue;
    EXPECT_EQ(plan.n_pages, (n_ctx + kPageCells - 1) / kPageCells) << n_ctx;
  }
}

TEST_F(MemoryPlanTest, SequencesShareTheWholeContextWhateverTheirLengths) {
  const std::size_t lengths[] = {3, 17, 1, 33, 48};
  Decoder decoder(model_, options(3 + 17 + 1 + 33 + 48, std::size(lengths)));
  std::vector<Sequence> sequences;
  for (const std::size_t length : lengths) {
    sequences.push_back(decoder.new_sequence());
    decoder.prefill(sequences.back(), std::vector<TokenId>(length, TokenId{5}));
    EXPECT_EQ(sequences.back().size(), length);
  }
}

TEST_F(MemoryPlanTest, ContextThatMemoryHolds) {
  for (const std::size_t n_sequences : {1u, 5u}) {
    DecoderOptions o = options(0, n_sequences);
    EXPECT_EQ(choose_n_ctx(*model_, o, std::size_t{1} << 40), 4096u);
    o.n_ctx = 4096;
    const MemoryPlan whole = plan_memory(*model_, o);
    const std::size_t logits = o.n_ubatch * 64 * sizeof(float);
    const std::size_t some = (whole.scratch_bytes + logits + 10 * whole.kv_bytes_per_page) * 10 / 9 + 64;
    const std::size_t n_ctx = choose_n_ctx(*model_, o, some);
    EXPECT_EQ(n_ctx, 10 * kPageCells - (n_sequences - 1) * (kPageCells - 1));
    o.n_ctx = n_ctx;
    EXPECT_EQ(plan_memory(*model_, o).n_pages, 10u);
  }
}

}  // namespace
}  // namespace armature::test
