#pragma once

#include <cstdint>

#include "engine/token.h"

namespace armature::tools::bench {

/// The seed of every benchmark's tokens.
inline constexpr std::uint64_t kTokenSeed = 42;

/// Token ids that are the same on every machine: splitmix64 (Steele, Lea and Flood 2014), of which the upper
/// half is scaled to the vocabulary.
class RandomTokens {
 public:
  /// n_vocab: 1 to 2^31.
  RandomTokens(std::uint64_t seed, std::size_t n_vocab) : state_(seed), n_vocab_(n_vocab) {}

  TokenId next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return static_cast<TokenId>((z >> 32) * n_vocab_ >> 32);
  }

 private:
  std::uint64_t state_, n_vocab_;
};

}  // namespace armature::tools::bench
