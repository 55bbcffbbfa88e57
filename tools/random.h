#pragma once

#include <cstddef>
#include <cstdint>

namespace armature::tools {

/// splitmix64 (Steele, Lea and Flood 2014): the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// From 0 to n - 1, of the upper half; n is 1 to 2^32.
  std::size_t below(std::uint64_t n) { return static_cast<std::size_t>((next() >> 32) * n >> 32); }
  /// From [-1, 1), exact in a float.
  double signed_unit() {
    return static_cast<double>(static_cast<std::int64_t>(next() >> 40) - (1 << 23)) / (1 << 23);
  }

 private:
  std::uint64_t state_;
};

}  // namespace armature::tools
