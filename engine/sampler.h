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
  float temperature = 0.8f;     // >= 0; below 1e-6: greedy
  std::int64_t top_k = 40;      // <= 0: off
  float top_p = 0.95f;          // 1: off
  float min_p = 0.05f;          // 0: off
  float repeat_penalty = 1.0f;  // > 0; 1: off
  float presence_penalty = 0.0f;
  float frequency_penalty = 0.0f;
  std::int64_t repeat_last_n = 64;  // tokens that the penalties look back on; 0: off; -1: all
  std::uint32_t seed = 0;
};

/// Throws Error bad_argument for a value outside its range (NaN included), naming option, value and range.
void check(const SamplerOptions& options);

/// Chooses tokens: penalties, top-k, top-p, min-p, temperature, then one draw, in this order. Greedy takes
/// the largest logit, the lowest id on a tie. The draw walks the remaining tokens from the most probable
/// (lowest id first on a tie) and takes the first at which the running sum of probabilities exceeds draw *
/// total.
class Sampler {
 public:
  /// Throws Error bad_argument, see check().
  Sampler(const SamplerOptions& options, std::size_t n_vocab);

  /// A token that is never chosen (e.g. the end tokens under --ignore-eos).
  void ban(TokenId token);
  /// Tokens that the penalties see; call for the prompt's tokens and for each token that is kept.
  void accept(TokenId token);
  /// logits [n_vocab], finite. Does not change them, and does not allocate.
  TokenId sample(std::span<const float> logits);

 private:
  struct Candidate {
    float logit;
    std::int32_t id;
  };
  void penalise();
  std::size_t keep_top_k(std::size_t n);
  TokenId draw(std::size_t n);

  SamplerOptions options_;
  Random random_;
  std::vector<float> logits_;          // [n_vocab], the working copy
  std::vector<Candidate> candidates_;  // [n_vocab]
  std::vector<double> weights_;        // [n_vocab]
  std::vector<TokenId> history_;       // ring of the last repeat_last_n tokens, or all
  std::size_t history_next_ = 0;
  std::vector<std::uint32_t> counts_;  // [n_vocab], of the tokens in history_
  std::vector<TokenId> banned_;
};

}  // namespace armature
