#include "tools/verify/model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "engine/decoder.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/bench/random_tokens.h"
#include "tools/bench/traffic.h"

namespace armature::tools::verify {
namespace {

const std::string kArea = "model";
constexpr std::size_t kPrompt = 40;   // tokens: whole passes of 10 and of 20, all of many rows
constexpr std::size_t kFew = 8;       // whole passes of 1, 2 and 4, all of few rows
constexpr double kScalarLimit = 4e9;  // multiplications that scalar kernels are asked for
constexpr double kNear = 0.1;         // of the logits' size; activations are rounded to 8 bits in either

using Logits = std::vector<float>;  // of one token after the other

struct Setting {
  std::size_t n_ubatch = kPrompt, n_threads = 1;
  bool batch_invariant = false;
  std::size_t n_neighbours = 0;  // sequences in the same pass
};

class ModelChecker {
 public:
  ModelChecker(std::shared_ptr<const Model> model, std::size_t n_threads, const std::function<bool()>& stop)
      : model_(std::move(model)), n_threads_(n_threads), stop_(stop) {
    bench::RandomTokens random(bench::kTokenSeed, model_->tokenizer().n_vocab());
    for (std::size_t i = 0; i < kPrompt; ++i) tokens_.push_back(random.next());
  }

  Fault threads() const;
  /// How many threads the system grants of those that are to be compared.
  std::size_t n_granted() const;
  Fault micro_batches() const;
  Fault neighbours() const;
  Fault batch_invariance() const;
  Fault regimes() const;
  Fault scalar(const std::shared_ptr<const Model>& scalar) const;
  double products(std::size_t n_tokens) const;

 private:
  std::span<const TokenId> first(std::size_t n) const { return std::span(tokens_).first(n); }
  Logits run(std::size_t n_tokens, const Setting& setting, const std::shared_ptr<const Model>& model) const;
  Logits run(std::size_t n_tokens, const Setting& setting) const { return run(n_tokens, setting, model_); }

  std::shared_ptr<const Model> model_;
  std::size_t n_threads_;
  const std::function<bool()>& stop_;
  std::vector<TokenId> tokens_;
};

DecoderOptions decoder_options(const Setting& setting) {
  DecoderOptions options;
  options.n_ctx = (1 + setting.n_neighbours) * kPrompt;
  options.n_sequences = 1 + setting.n_neighbours;
  options.n_ubatch = options.n_ctx;
  options.n_threads = setting.n_threads;
  options.batch_invariant = setting.batch_invariant;
  return options;
}

/// The logits of the last token of each pass; none when it was stopped.
Logits ModelChecker::run(std::size_t n_tokens, const Setting& setting,
                         const std::shared_ptr<const Model>& model) const {
  Decoder decoder(model, decoder_options(setting));
  std::vector<Sequence> sequences;
  for (std::size_t i = 0; i <= setting.n_neighbours; ++i) sequences.push_back(decoder.new_sequence());
  Logits logits;
  for (std::size_t at = 0; at < n_tokens; at += setting.n_ubatch) {
    const std::size_t n = std::min(setting.n_ubatch, n_tokens - at);
    Batch batch;
    for (std::size_t s = sequences.size(); s-- > 0;)  // that which counts comes last
      for (std::size_t i = 0; i < n; ++i)
        batch.push_back({tokens_[(at + i + 7 * s) % tokens_.size()], &sequences[s], s == 0 && i + 1 == n});
    if (!decoder.forward(batch, stop_)) return {};
    logits.insert(logits.end(), decoder.logits(0).begin(), decoder.logits(0).end());
  }
  return logits;
}

/// Of the last token.
std::span<const float> last(const Logits& logits, std::size_t n_vocab) {
  return std::span(logits).last(std::min(n_vocab, logits.size()));
}

Fault compare_bits(std::span<const float> got, std::span<const float> want, std::string_view how) {
  if (got.empty() || want.empty()) return {};  // stopped
  for (std::size_t i = 0; i < want.size(); ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(float)) != 0)
      return compose("{}: logit {} is {}, not {}", how, i, got[i], want[i]);
  return {};
}

/// The root of the mean square of the difference, in units of that of the logits.
Fault compare_near(std::span<const float> got, std::span<const float> want, std::string_view how) {
  if (got.empty() || want.empty()) return {};
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double a = static_cast<double>(got[i]), b = static_cast<double>(want[i]);
    difference += (a - b) * (a - b);
    size += b * b;
  }
  const double share = std::sqrt(difference / size);
  if (share <= kNear || difference == 0) return {};
  return compose("{}: logits differ by {} of their size", how, share);
}

Fault ModelChecker::threads() const {
  const std::set<std::size_t> counts = {2, 3, n_threads_, 2 * n_threads_};
  for (const std::size_t n_ubatch : {kPrompt, std::size_t{4}}) {
    const Logits want = run(n_ubatch, {.n_ubatch = n_ubatch});
    for (const std::size_t n : counts)
      if (auto fault = compare_bits(run(n_ubatch, {.n_ubatch = n_ubatch, .n_threads = n}), want,
                                    compose("{} threads, {} rows", n, n_ubatch)))
        return fault;
  }
  return {};
}

std::size_t ModelChecker::n_granted() const {
  const Decoder decoder(model_, decoder_options({.n_threads = std::max<std::size_t>(n_threads_, 2)}));
  return decoder.options().n_threads;
}

Fault ModelChecker::micro_batches() const {
  const std::size_t n_vocab = model_->config().n_vocab;
  const auto compare = [&](std::size_t n_tokens, std::size_t a, std::size_t b) {
    const Logits want = run(n_tokens, {.n_ubatch = a, .n_threads = n_threads_});
    const Logits got = run(n_tokens, {.n_ubatch = b, .n_threads = n_threads_});
    return compare_bits(last(got, n_vocab), last(want, n_vocab),
                        compose("passes of {} in place of {} rows", b, a));
  };
  for (const std::size_t n_ubatch : {10u, 20u})
    if (auto fault = compare(kPrompt, kPrompt, n_ubatch)) return fault;
  for (const std::size_t n_ubatch : {2u, 4u})
    if (auto fault = compare(kFew, 1, n_ubatch)) return fault;
  return {};
}

Fault ModelChecker::neighbours() const {
  const Logits want = run(kPrompt, {.n_ubatch = 20, .n_threads = n_threads_});
  for (const std::size_t n : {1u, 3u})
    if (auto fault = compare_bits(run(kPrompt, {.n_ubatch = 20, .n_threads = n_threads_, .n_neighbours = n}),
                                  want, compose("beside {} other sequences", n)))
      return fault;
  return {};
}

Fault ModelChecker::batch_invariance() const {
  const std::size_t n_vocab = model_->config().n_vocab;
  const auto logits = [&](std::size_t n_ubatch) {
    return run(kPrompt, {.n_ubatch = n_ubatch, .n_threads = n_threads_, .batch_invariant = true});
  };
  const Logits want = logits(1);
  for (const std::size_t n_ubatch : {3u, 7u, 40u})
    if (auto fault = compare_bits(last(logits(n_ubatch), n_vocab), last(want, n_vocab),
                                  compose("passes of {} in place of 1 row", n_ubatch)))
      return fault;
  return {};
}

Fault ModelChecker::regimes() const {
  const std::size_t n_vocab = model_->config().n_vocab;
  const Logits few = run(kFew, {.n_ubatch = 1, .n_threads = n_threads_});
  return compare_near(run(kFew, {.n_ubatch = kFew, .n_threads = n_threads_}), last(few, n_vocab),
                      "many rows against few");
}

Fault ModelChecker::scalar(const std::shared_ptr<const Model>& scalar) const {
  const Setting setting = {.n_ubatch = kFew, .n_threads = n_threads_};
  const std::size_t n_vocab = model_->config().n_vocab;
  return compare_near(last(run(kFew, setting), n_vocab), last(run(kFew, setting, scalar), n_vocab),
                      "against the scalar kernels");
}

double ModelChecker::products(std::size_t n_tokens) const {
  return static_cast<double>(bench::traffic(model_->config(), model_->weights()).products(n_tokens, 1));
}

}  // namespace

void check_model(const std::shared_ptr<const Model>& model, std::size_t n_threads,
                 const std::function<std::shared_ptr<const Model>(cpu::Features)>& reload,
                 const std::function<bool()>& stop, const Listener& listener) {
  const ModelChecker checker(model, n_threads, stop);
  const auto check = [&](std::string subject, const std::function<Fault()>& look) {
    if (stop()) return;
    Fault fault;
    try {
      fault = look();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::not_finite) throw;
      fault = error.what();
    }
    if (!stop()) listener(make_check(kArea, std::move(subject), std::move(fault)));
  };
  const std::string threads = "any number of threads: the same bits";
  if (checker.n_granted() < 2)
    listener(not_run(kArea, threads, "the system grants one thread"));
  else
    check(threads, [&] { return checker.threads(); });
  check("any micro-batch of one regime: the same bits", [&] { return checker.micro_batches(); });
  check("other sequences in the batch: the same bits", [&] { return checker.neighbours(); });
  check("--batch-invariant: the same bits", [&] { return checker.batch_invariance(); });
  check("few and many rows: near", [&] { return checker.regimes(); });
  const std::string scalar = "scalar kernels: near";
  if (checker.products(kFew) > kScalarLimit)
    listener(not_run(kArea, scalar, "they would take minutes for a model of this size"));
  else
    check(scalar, [&] { return checker.scalar(reload(cpu::kNone)); });
}

}  // namespace armature::tools::verify
