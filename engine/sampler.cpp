#include "engine/sampler.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "gguf/error.h"

namespace armature {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr float kMaxFloat = std::numeric_limits<float>::max();
constexpr float kGreedyBelow = 1e-6f;  // temperature

// A look-back up to this length takes its memory at construction, a longer one as tokens come.
constexpr std::int64_t kReservedHistory = 1 << 16;

template <class Number>
void require(bool in_range, std::string_view option, Number value, std::string_view range) {
  if (in_range) return;
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  throw Error(ErrorCode::bad_argument, std::string(option) + ' ' + std::string(digits.data(), end) + "; " +
                                           std::string(range) + " is needed");
}

float penalised(float logit, double count, const SamplerOptions& options) {
  const double repeat = options.repeat_penalty;
  const double scaled = logit > 0.0f ? logit / repeat : logit * repeat;
  const double value = scaled - (count * options.frequency_penalty + options.presence_penalty);
  return static_cast<float>(std::clamp<double>(value, -kMaxFloat, kMaxFloat));
}

bool has_penalties(const SamplerOptions& options) {
  return options.repeat_last_n != 0 && (options.repeat_penalty != 1.0f || options.presence_penalty != 0.0f ||
                                        options.frequency_penalty != 0.0f);
}

Error nothing_left() {
  return Error(ErrorCode::not_finite,
               "no token is left to choose: each is banned or its logit is not finite");
}

}  // namespace

double Random::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

void check(const SamplerOptions& options) {
  const auto finite = [](float value) { return std::isfinite(value); };
  const auto share = [](float value) { return value >= 0.0f && value <= 1.0f; };
  const SamplerOptions& o = options;
  require(finite(o.temperature) && o.temperature >= 0.0f, "temperature", o.temperature,
          "a finite number of at least 0");
  require(o.top_k >= -1, "top-k", o.top_k, "a number of tokens, or 0 or -1 for all,");
  require(share(o.top_p), "top-p", o.top_p, "0 to 1");
  require(share(o.min_p), "min-p", o.min_p, "0 to 1");
  require(finite(o.repeat_penalty) && o.repeat_penalty > 0.0f, "repeat-penalty", o.repeat_penalty,
          "a finite number above 0");
  require(finite(o.presence_penalty), "presence-penalty", o.presence_penalty, "a finite number");
  require(finite(o.frequency_penalty), "frequency-penalty", o.frequency_penalty, "a finite number");
  require(o.repeat_last_n >= -1, "repeat-last-n", o.repeat_last_n,
          "a number of tokens, 0 for none or -1 for all,");
}

/// Candidates from the best on, sorted only as far as they are asked for: O(n) to make, O(log n) for each
/// one.
class Sampler::BestFirst {
 public:
  explicit BestFirst(std::span<Candidate> candidates) : candidates_(candidates), n_heap_(candidates.size()) {
    std::make_heap(candidates_.begin(), candidates_.end(), worse);
  }
  std::size_t size() const { return candidates_.size(); }

  const Candidate& operator[](std::size_t i) {
    while (size() - n_heap_ <= i) {
      std::pop_heap(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(n_heap_), worse);
      --n_heap_;
    }
    return candidates_[size() - 1 - i];
  }

  /// The n best in any order; n is size(), or all of them were asked for.
  std::span<const Candidate> first(std::size_t n) const {
    assert(n == size() || n <= size() - n_heap_);
    return candidates_.last(n);
  }

 private:
  static bool worse(const Candidate& a, const Candidate& b) { return better(b, a); }

  std::span<Candidate> candidates_;  // a heap of n_heap_, then what was taken from it, worst first
  std::size_t n_heap_;
};

Sampler::Sampler(const SamplerOptions& options, std::size_t n_vocab)
    : options_(options), random_(options.seed), penalises_(has_penalties(options)) {
  check(options);
  require(n_vocab >= 1 && n_vocab <= std::numeric_limits<std::int32_t>::max(), "vocabulary of", n_vocab,
          "1 to 2147483647");
  logits_.resize(n_vocab);
  const auto k = static_cast<std::size_t>(std::max<std::int64_t>(options.top_k, 0));
  candidates_.resize(k == 0 || k >= n_vocab ? n_vocab : std::min(2 * k, n_vocab));
  if (penalises_) {
    counts_.resize(n_vocab);
    history_.reserve(
        static_cast<std::size_t>(std::clamp<std::int64_t>(options.repeat_last_n, 0, kReservedHistory)));
  }
}

std::size_t Sampler::index_of(TokenId token) const {
  const auto id = static_cast<std::int32_t>(token);
  require(id >= 0 && static_cast<std::size_t>(id) < logits_.size(), "token", id,
          "0 to " + std::to_string(logits_.size() - 1));
  return static_cast<std::size_t>(id);
}

void Sampler::ban(TokenId token) {
  index_of(token);
  banned_.push_back(token);
}

void Sampler::accept(TokenId token) {
  const std::size_t index = index_of(token);
  if (!penalises_) return;
  ++counts_[index];
  if (options_.repeat_last_n < 0) return;
  if (history_.size() < static_cast<std::size_t>(options_.repeat_last_n)) {
    history_.push_back(token);
    return;
  }
  TokenId& oldest = history_[history_next_];
  --counts_[index_of(oldest)];
  oldest = token;
  history_next_ = (history_next_ + 1) % history_.size();
}

TokenId Sampler::sample(std::span<const float> logits) {
  prepare(logits);
  if (options_.temperature < kGreedyBelow) return best();

  std::span<Candidate> candidates = top_k();
  if (candidates.empty()) throw nothing_left();
  const double largest = std::max_element(candidates.begin(), candidates.end(), [](auto& a, auto& b) {
                           return a.logit < b.logit;
                         })->logit;
  const auto weight = [largest](const Candidate& c) { return std::exp(c.logit - largest); };

  double top_p_sum = std::numeric_limits<double>::infinity();
  if (options_.top_p < 1.0f) {
    top_p_sum = 0.0;
    for (const Candidate& c : candidates) top_p_sum += weight(c);
    top_p_sum *= options_.top_p;
  }

  // min-p needs no order, and both filters keep the best: what it drops first need not be sorted for top-p.
  const double cut = largest + std::log(static_cast<double>(options_.min_p));
  const auto kept =
      std::remove_if(candidates.begin(), candidates.end(), [cut](auto& c) { return c.logit < cut; });
  BestFirst order(candidates.first(static_cast<std::size_t>(kept - candidates.begin())));

  std::size_t n = order.size();
  if (options_.top_p < 1.0f) {
    double sum = 0.0;
    for (n = 0; n == 0 || (n < order.size() && sum < top_p_sum); ++n) sum += weight(order[n]);
  }
  return draw(order, n);
}

/// The working copy: penalties applied, and kNever for what must not be chosen.
void Sampler::prepare(std::span<const float> logits) {
  assert(logits.size() == logits_.size());
  for (std::size_t i = 0; i < logits_.size(); ++i)
    logits_[i] = std::fabs(logits[i]) <= kMaxFloat ? logits[i] : kNever;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] != 0 && logits_[i] != kNever) logits_[i] = penalised(logits_[i], counts_[i], options_);
  for (const TokenId token : banned_) logits_[static_cast<std::size_t>(token)] = kNever;
}

TokenId Sampler::best() const {
  const auto largest = std::max_element(logits_.begin(), logits_.end());
  if (*largest == kNever) throw nothing_left();
  return static_cast<TokenId>(largest - logits_.begin());
}

bool Sampler::better(const Candidate& a, const Candidate& b) {
  return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
}

/// The k best of logits_, in any order, gathered in one pass: whenever the candidates are twice as many, the
/// better half stays and its worst logit is the bar for what follows. Ids rise, so a later token of equal
/// logit is the worse one.
std::span<Sampler::Candidate> Sampler::top_k() {
  const std::size_t k = options_.top_k > 0
                            ? std::min(static_cast<std::size_t>(options_.top_k), logits_.size())
                            : logits_.size();
  const auto keep_k = [&](std::size_t n) {
    const auto begin = candidates_.begin();
    std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(k - 1),
                     begin + static_cast<std::ptrdiff_t>(n), better);
  };
  float bar = kNever;
  std::size_t n = 0;
  for (std::size_t id = 0; id < logits_.size(); ++id) {
    if (!(logits_[id] > bar)) continue;
    candidates_[n++] = {logits_[id], static_cast<std::int32_t>(id)};
    if (n == candidates_.size() && n > k) {
      keep_k(n);
      n = k;
      bar = candidates_[k - 1].logit;
    }
  }
  if (n > k) keep_k(n);
  return {candidates_.data(), std::min(n, k)};
}

/// Temperature, and the draw among the n best.
TokenId Sampler::draw(BestFirst& order, std::size_t n) {
  const double largest = order[0].logit;
  const double temperature = options_.temperature;
  const auto weight = [&](const Candidate& c) { return std::exp((c.logit - largest) / temperature); };

  double total = 0.0;
  for (const Candidate& c : order.first(n)) total += weight(c);
  const double target = random_.next() * total;

  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    sum += weight(order[i]);
    if (sum > target) return static_cast<TokenId>(order[i].id);
  }
  return static_cast<TokenId>(order[n - 1].id);
}

}  // namespace armature
