// How texts are cut, and that the runner scores each token by what stands before it in its chunk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gguf/error.h"
#include "tests/support/tiny_model.h"
#include "tools/builtin/builtin.h"
#include "tools/perplexity/evaluations.h"
#include "tools/perplexity/packed_row.h"
#include "tools/perplexity/runner.h"

namespace armature::tools::perplexity {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<TokenId> some_tokens(std::size_t n, std::size_t n_vocab) {
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < n; ++i) tokens.push_back(static_cast<TokenId>((i * i + 7 * i + 3) % n_vocab));
  return tokens;
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Chunks, SecondHalves) {
  const Chunks even{8, some_tokens(16, 50)};
  EXPECT_EQ(even.size(), 2u);
  EXPECT_EQ(even.first_place(), 4u);
  EXPECT_EQ(even.n_places(), 3u);
  EXPECT_EQ(even.next(1, 0), even.tokens[8 + 5]);
  EXPECT_EQ(even.next(1, 2), even.tokens[15]);
  const Chunks odd{5, some_tokens(10, 50)};
  EXPECT_EQ(odd.first_place(), 2u);
  EXPECT_EQ(odd.n_places(), 2u);
  const Chunks usual{512, {}};
  EXPECT_EQ(usual.n_places(), 255u);
}

TEST(Chunks, TheRestIsLeftOver) {
  const auto tokens = some_tokens(29, 50);
  const Chunks all = cut_into_chunks(tokens, 8, 100, "text");
  EXPECT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2].front(), tokens[16]);
  EXPECT_EQ(cut_into_chunks(tokens, 8, 1, "text").size(), 1u);
  EXPECT_EQ(cut_into_chunks(some_tokens(16, 50), 8, 100, "text").size(), 2u);
}

TEST(Chunks, TextsThatAreTooShort) {
  EXPECT_THAT(refusal([] { cut_into_chunks(some_tokens(15, 50), 8, 1, "some.txt"); }),
              AllOf(HasSubstr("some.txt: 15 tokens; at least 16 are needed"), HasSubstr("-c")));
}

TEST(Chunks, AnotherText) {
  const Chunks chunks{8, some_tokens(16, 50)};
  auto tokens = some_tokens(20, 50);
  EXPECT_EQ(refusal([&] { check_same_text(chunks, tokens, "a.txt", "b.kl"); }), "accepted");
  EXPECT_THAT(refusal([&] { check_same_text(chunks, std::span(tokens).first(9), "a.txt", "b.kl"); }),
              HasSubstr("a.txt: 9 tokens, where 'b.kl' holds 16"));
  tokens[11] = TokenId{49};
  EXPECT_THAT(refusal([&] { check_same_text(chunks, tokens, "a.txt", "b.kl"); }),
              HasSubstr("token 11 of the text is 49"));
}

TEST(Chunks, TextIsNeverControl) {
  const auto model = Model::load(builtin_model(), kBuiltinName);
  EncodeLosses losses;
  const auto tokens = encode_text(model->tokenizer(), "<|end|>", losses);
  EXPECT_EQ(tokens.front(), model->tokenizer().bos());
  EXPECT_GT(tokens.size(), 2u) << "the spelling is ordinary text";
}

struct Setting {
  std::size_t n_sequences = 1, n_ubatch = 512, n_threads = 1;
};

/// A model that gives the same bits in passes of any size.
class PerplexityRunner : public testing::Test {
 protected:
  std::vector<double> run(const Chunks& chunks, std::optional<TokenId> bos, const Setting& setting) const {
    DecoderOptions options;
    options.n_ctx = setting.n_sequences * chunks.n_ctx;
    options.n_sequences = setting.n_sequences;
    options.n_ubatch = setting.n_ubatch;
    options.n_threads = setting.n_threads;
    options.batch_invariant = true;
    Decoder decoder(model_, options);
    Likelihood likelihood(chunks.n_places(), model_->config().n_vocab, nullptr,
                          [](std::size_t, const RunningMean&) {});
    Runner runner(decoder, chunks, setting.n_sequences, bos);
    std::size_t last = 0;
    EXPECT_TRUE(runner.run(likelihood, {}, [&](std::size_t n) { last = n; }));
    EXPECT_EQ(last, runner.n_rows());
    EXPECT_EQ(likelihood.nll().n(), chunks.size() * chunks.n_places());
    return {likelihood.nll_of_chunks().begin(), likelihood.nll_of_chunks().end()};
  }

  /// The same, token by token.
  std::vector<double> by_hand(const Chunks& chunks, std::optional<TokenId> bos) const {
    std::vector<double> out;
    DecoderOptions options;
    options.n_ctx = chunks.n_ctx;
    options.batch_invariant = true;
    Decoder decoder(model_, options);
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      Sequence sequence = decoder.new_sequence();
      RunningMean mean;
      for (std::size_t at = 0; at + 1 < chunks.n_ctx; ++at) {
        decoder.forward({{at == 0 && bos ? *bos : chunks[i][at], &sequence, true}});
        if (at < chunks.n_ctx / 2) continue;
        const auto logits = decoder.logits(0);
        mean.add(log_sum_exp(logits) -
                 static_cast<double>(logits[static_cast<std::size_t>(chunks[i][at + 1])]));
      }
      out.push_back(mean.mean());
    }
    return out;
  }

  std::vector<std::byte> file_ = test::TinyModel().bytes();
  std::shared_ptr<const Model> model_ = Model::load(file_, "tiny.gguf");
};

TEST_F(PerplexityRunner, ScoresWhatFollowsInItsChunk) {
  for (const std::size_t n_ctx : {8u, 9u, 4u}) {
    const Chunks chunks{n_ctx, some_tokens(7 * n_ctx, 64)};
    for (const auto bos : {std::optional<TokenId>(), std::optional(TokenId{1})})
      EXPECT_EQ(run(chunks, bos, {}), by_hand(chunks, bos)) << n_ctx;
  }
}

TEST_F(PerplexityRunner, AnyNumberOfSequencesRowsAndThreads) {
  const Chunks chunks{8, some_tokens(40, 64)};
  const auto want = by_hand(chunks, std::nullopt);
  for (const std::size_t n_sequences : {1u, 2u, 3u, 5u})
    for (const std::size_t n_ubatch : {1u, 3u, 7u, 8u, 20u, 64u})
      EXPECT_EQ(run(chunks, std::nullopt, {n_sequences, n_ubatch, 1 + n_ubatch % 3}), want)
          << n_sequences << " " << n_ubatch;
}

TEST_F(PerplexityRunner, BosStandsForTheFirstTokenOfEachChunk) {
  const Chunks chunks{8, some_tokens(16, 64)};
  EXPECT_NE(run(chunks, TokenId{1}, {})[1], run(chunks, std::nullopt, {})[1]);
  Chunks with_bos = chunks;
  with_bos.tokens[0] = with_bos.tokens[8] = TokenId{1};
  EXPECT_EQ(run(chunks, TokenId{1}, {}), run(with_bos, std::nullopt, {}));
}

TEST_F(PerplexityRunner, Stops) {
  const Chunks chunks{8, some_tokens(16, 64)};
  DecoderOptions options;
  options.n_ctx = 16;
  Decoder decoder(model_, options);
  Likelihood likelihood(chunks.n_places(), 64, nullptr, [](std::size_t, const RunningMean&) {});
  EXPECT_FALSE(Runner(decoder, chunks, 1, {})
                   .run(
                       likelihood, [] { return true; }, [](std::size_t) { FAIL(); }));
  EXPECT_EQ(likelihood.nll().n(), 0u);
}

TEST(ScoredRows, AreNeverMoreThanWasCounted) {
  for (std::size_t n_ctx = 4; n_ctx < 20; ++n_ctx) {
    for (std::size_t n_ubatch = 1; n_ubatch < 50; ++n_ubatch) {
      const std::size_t period = n_ctx - 1, most = Runner::most_scored_rows(n_ubatch, n_ctx);
      for (std::size_t start = 0; start < period; ++start) {
        std::size_t n = 0;
        for (std::size_t i = start; i < start + n_ubatch; ++i) n += i % period >= n_ctx / 2 ? 1 : 0;
        EXPECT_LE(n, most) << n_ctx << " " << n_ubatch << " " << start;
      }
    }
  }
}

}  // namespace
}  // namespace armature::tools::perplexity
