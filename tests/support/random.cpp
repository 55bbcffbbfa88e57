#include "tests/support/random.h"

#include <cstdlib>

namespace armature::test {

std::uint64_t base_seed() {
  const char* text = std::getenv("ARMATURE_TEST_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

std::uint64_t Rng::next() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

float Rng::uniform(float lo, float hi) {
  return lo + (hi - lo) * (static_cast<float>(next() >> 40) * 0x1p-24f);
}

float Rng::normal() {
  float sum = -6.0f;
  for (int i = 0; i < 12; ++i) sum += uniform(0.0f, 1.0f);
  return sum;
}

}  // namespace armature::test
