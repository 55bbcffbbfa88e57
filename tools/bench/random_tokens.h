#pragma once

#include <cstdint>

#include "engine/token.h"
#include "tools/random.h"

namespace armature::tools::bench {

/// The seed of every benchmark's tokens.
inline constexpr std::uint64_t kTokenSeed = 42;

/// Token ids that are the same on every machine.
class RandomTokens {
 public:
  /// n_vocab: 1 to 2^31.
  RandomTokens(std::uint64_t seed, std::size_t n_vocab) : random_(seed), n_vocab_(n_vocab) {}

  TokenId next() { return static_cast<TokenId>(random_.below(n_vocab_)); }

 private:
  Random random_;
  std::uint64_t n_vocab_;
};

}  // namespace armature::tools::bench
