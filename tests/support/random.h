#pragma once

#include <cstddef>
#include <cstdint>

namespace armature::test {

/// The seed of every random test: environment variable ARMATURE_TEST_SEED, else 1.
std::uint64_t base_seed();

/// A generator with the same numbers on every machine and standard library: SplitMix64 (Steele, Lea and
/// Flood, "Fast splittable pseudorandom number generators", 2014, figure 16).
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}

  std::uint64_t next();
  /// 0 to n - 1; n > 0.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  /// lo to hi, both included.
  int between(int lo, int hi) { return lo + static_cast<int>(below(static_cast<std::size_t>(hi - lo + 1))); }
  float uniform(float lo, float hi);
  /// Mean 0, variance 1, near enough to normal: a sum of twelve uniform numbers.
  float normal();

 private:
  std::uint64_t state_;
};

}  // namespace armature::test
