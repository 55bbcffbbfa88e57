#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/token.h"

namespace armature {

/// The generator behind sampling: SplitMix64 (Steele, Lea, Flood 2014). The state starts as the seed; each
/// draw adds 0x9e3779b97f4a7c15 to it and mixes a copy z: z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9; z = (z ^ z
/// >> 27) * 0x94d049bb133111eb; z ^= z >> 31. The draw is (z >> 11) * 2^-53, in [0, 1).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double next();

 private:
  std::uint64_t state_;
};

struct SamplerOptions {
  float temperature = 0.8f;         // 0 to the largest finite number; below 1e-6: greedy
  std::int64_t top_k = 40;          // -1 or more; 0 and -1: off
  float top_p = 0.95f;              // 0 to 1; 1: off
  float min_p = 0.05f;              // 0 to 1; 0: off
  float repeat_penalty = 1.0f;      // above 0 and finite; 1: off
  float presence_penalty = 0.0f;    // finite; 0: off
  float frequency_penalty = 0.0f;   // finite; 0: off
  std::int64_t repeat_last_n = 64;  // tokens that the penalties look back on; 0: off; -1: all
  std::uint32_t seed = 0;
};

/// Throws Error bad_argument for a value outside its range (NaN included), naming option, value and range.
void check(const SamplerOptions& options);

/// Chooses tokens, in this order:
/// 1. Penalties on a token that occurs count > 0 times among those looked back on: its logit is divided by
///    repeat_penalty when positive, else multiplied by it; then count * frequency_penalty + presence_penalty
///    is taken off.
/// 2. top-k: the k largest logits stay.
/// 3. top-p: of the probabilities p = softmax(logits that stayed), the smallest set of largest ones whose sum
///    is at least top_p stays.
/// 4. min-p: those with p >= min_p * (the largest p) stay.
/// 5. Temperature: weight = exp((logit - largest logit) / temperature).
/// 6. One draw of the generator per token: walking from the largest weight on, the first token at which the
///    running sum exceeds draw * total.
/// At every step the lower id goes first among equal logits. Greedy takes the best token after step 1 and
/// draws nothing. Sums are in double.
class Sampler {
 public:
  /// n_vocab: 1 to 2^31 - 1. Throws Error bad_argument, see check().
  Sampler(const SamplerOptions& options, std::size_t n_vocab);

  /// A token that is never chosen (e.g. the end tokens under --ignore-eos). Throws Error bad_argument for one
  /// outside the vocabulary.
  void ban(TokenId token);
  /// Tokens that the penalties see; call for the prompt's tokens and for each token that is kept. Throws
  /// Error bad_argument for one outside the vocabulary.
  void accept(TokenId token);
  /// logits [n_vocab]; those that are not finite are taken as banned. Does not change them, and does not
  /// allocate. Throws Error not_finite when no token is left to choose.
  TokenId sample(std::span<const float> logits);

 private:
  struct Candidate {
    float logit;
    std::int32_t id;
  };
  class BestFirst;

  static bool better(const Candidate& a, const Candidate& b);
  std::size_t index_of(TokenId token) const;
  void prepare(std::span<const float> logits);
  TokenId best() const;
  std::span<Candidate> top_k();
  TokenId draw(BestFirst& order, std::size_t n);

  SamplerOptions options_;
  Random random_;
  bool penalises_;
  std::vector<float> logits_;          // [n_vocab], the working copy; -infinity: never chosen
  std::vector<Candidate> candidates_;  // [min(2 * top_k, n_vocab)]
  std::vector<TokenId> history_;       // ring of the last repeat_last_n tokens; unused when that is -1
  std::size_t history_next_ = 0;
  std::vector<std::uint32_t> counts_;  // [n_vocab], of the tokens looked back on; empty without penalties
  std::vector<TokenId> banned_;
};

}  // namespace armature
