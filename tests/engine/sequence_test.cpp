#include "engine/sequence.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/engine/reference.h"
#include "tests/support/tiny_model.h"

namespace armature::test {
namespace {

class SequenceTest : public testing::Test {
 protected:
  SequenceTest()
      : file_(TinyModel().bytes()), model_(Model::load(file_, "tiny.gguf")), decoder_(model_, options()) {}

  static DecoderOptions options() {
    DecoderOptions o;
    o.n_ctx = 4 * kPageCells;
    return o;
  }
  static std::vector<TokenId> tokens(std::size_t n, std::size_t seed) {
    std::vector<TokenId> t;
    for (std::size_t i = 0; i < n; ++i) t.push_back(static_cast<TokenId>((i * 5 + seed) % 64));
    return t;
  }
  std::size_t n_free() const { return decoder_.kv_cache().n_free(); }
  std::vector<float> logits() const { return {decoder_.logits(0).begin(), decoder_.logits(0).end()}; }

  Bytes file_;
  std::shared_ptr<const Model> model_;
  Decoder decoder_;
};

TEST_F(SequenceTest, TakesPagesAsItGrowsAndGivesThemBack) {
  EXPECT_EQ(n_free(), 4u);
  {
    Sequence s = decoder_.new_sequence();
    decoder_.prefill(s, tokens(kPageCells, 0));
    EXPECT_EQ(n_free(), 3u);
    decoder_.prefill(s, tokens(1, 0));
    EXPECT_EQ(n_free(), 2u);
    s.trim(kPageCells);
    EXPECT_EQ(n_free(), 3u);
    s.trim(1);
    EXPECT_EQ(n_free(), 3u);
  }
  EXPECT_EQ(n_free(), 4u);
}

TEST_F(SequenceTest, ForkSharesPagesAndCopiesOnlyWhenWritten) {
  Sequence a = decoder_.new_sequence();
  decoder_.prefill(a, tokens(kPageCells + 10, 0));
  Sequence b = a.fork(kPageCells + 5);
  EXPECT_EQ(n_free(), 2u);
  EXPECT_EQ(b.size(), kPageCells + 5);

  decoder_.prefill(b, tokens(3, 9));
  EXPECT_EQ(n_free(), 1u) << "only the page that was written is copied";
  const auto from_fork = logits();

  decoder_.prefill(a, tokens(1, 3));
  const auto of_original = logits();

  a.trim(0);
  b.trim(0);
  Sequence fresh = decoder_.new_sequence();
  decoder_.prefill(fresh, tokens(kPageCells + 10, 0));
  decoder_.prefill(fresh, tokens(1, 3));
  EXPECT_EQ(logits(), of_original) << "the fork's tokens left a mark on the original";
  fresh.trim(kPageCells + 5);
  decoder_.prefill(fresh, tokens(3, 9));
  EXPECT_EQ(logits(), from_fork);
}

TEST_F(SequenceTest, AFullCacheIsAnErrorThatChangesNothing) {
  Sequence a = decoder_.new_sequence();
  decoder_.prefill(a, tokens(3 * kPageCells, 0));
  Sequence b = decoder_.new_sequence();
  try {
    decoder_.prefill(b, tokens(kPageCells + 1, 0));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
  }
  EXPECT_EQ(b.size(), 0u);
  EXPECT_EQ(n_free(), 1u);
  decoder_.prefill(b, tokens(kPageCells, 0));
  EXPECT_EQ(n_free(), 0u);
}

TEST_F(SequenceTest, APassThatIsGivenUpLeavesEverythingAsBefore) {
  Sequence s = decoder_.new_sequence();
  decoder_.prefill(s, tokens(10, 0));
  const std::size_t n_free_before = n_free();
  for (const int n_chunks : {0, 1, 7, 30}) {
    std::atomic<int> left = n_chunks;
    EXPECT_FALSE(decoder_.prefill(s, tokens(2 * kPageCells, 3), [&] { return left-- <= 0; })) << n_chunks;
    EXPECT_EQ(s.size(), 10u);
    EXPECT_EQ(n_free(), n_free_before);
    EXPECT_EQ(decoder_.n_logits(), 0u);
  }
  EXPECT_TRUE(decoder_.prefill(s, tokens(2 * kPageCells, 3), [] { return false; }));
  const auto after = logits();
  Sequence fresh = decoder_.new_sequence();
  s.trim(0);
  decoder_.prefill(fresh, tokens(10, 0));
  decoder_.prefill(fresh, tokens(2 * kPageCells, 3));
  EXPECT_EQ(logits(), after);
}

TEST_F(SequenceTest, TokensOutsideTheVocabularyAreRefused) {
  Sequence s = decoder_.new_sequence();
  for (const std::int32_t id : {-1, 64, 2147483647}) {
    try {
      decoder_.forward({{static_cast<TokenId>(id), &s, true}});
      FAIL() << id;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_argument) << id;
    }
  }
  EXPECT_EQ(s.size(), 0u);
}

}  // namespace
}  // namespace armature::test
