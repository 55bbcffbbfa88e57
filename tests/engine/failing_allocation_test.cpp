#include <gtest/gtest.h>

#include <new>
#include <optional>

#include "tests/engine/reference.h"
#include "tests/support/allocation_count.h"
#include "tests/support/temp_dir.h"
#include "tests/support/vocabularies.h"

/// Each allocation in turn fails, from opening a file to its first logits. What was built until then must be
/// freed; the leak check of sanitized builds looks at that.
namespace armature::test {
namespace {

std::vector<float> first_logits(const std::string& path) {
  DecoderOptions options;
  options.n_ctx = 64;
  options.n_threads = 1;
  return all_logits(Model::load(path), options, std::vector<TokenId>{TokenId{1}, TokenId{9}});
}

/// Nothing where the memory that was missing was asked for.
std::optional<std::vector<float>> logits_without(std::size_t k, const std::string& path, bool& has_failed) {
  const FailingAllocation failing(k);
  std::optional<std::vector<float>> logits;
  try {
    logits = first_logits(path);
  } catch (const std::bad_alloc&) {
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory) << k << ": " << error.what();
  }
  has_failed = failing.has_failed();
  return logits;
}

void expect_each_failure_ends_well(const TinyModel& model) {
  const TempDir folder;
  const std::string path = folder.write("model.gguf", model);
  const std::vector<float> good = first_logits(path);
  std::size_t n_refused = 0;
  bool has_failed = true;
  for (std::size_t k = 1; has_failed; ++k) {
    const auto logits = logits_without(k, path, has_failed);
    if (logits) {
      EXPECT_EQ(*logits, good) << k;
    } else {
      EXPECT_TRUE(has_failed) << k;
      ++n_refused;
    }
  }
  EXPECT_GT(n_refused, 50u);
}

TEST(FailingAllocations, OfTheGoodFile) { expect_each_failure_ends_well(TinyModel()); }

TEST(FailingAllocations, OfAByteLevelVocabulary) {
  const TestVocabulary vocabulary = byte_level_vocabulary("gpt-2");
  TinyModel model({.n_layer = 1, .n_vocab = 280});
  model.set("tokenizer.ggml.model", "gpt2").set("tokenizer.ggml.pre", vocabulary.pre);
  model.set("tokenizer.ggml.tokens", vocabulary.tokens).set("tokenizer.ggml.token_type", vocabulary.types);
  model.set("tokenizer.ggml.merges", vocabulary.merges).erase_key("tokenizer.ggml.scores");
  expect_each_failure_ends_well(model);
}

}  // namespace
}  // namespace armature::test
