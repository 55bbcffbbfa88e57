#include "kernels/rows.h"

namespace armature::kernels::scalar {
namespace {

/// Pair i of a head is at first(i) and first(i) + distance.
template <class First>
void turn(const RopeArgs& a, First first, std::size_t distance) {
  for (std::size_t head = 0; head < a.n_heads; ++head)
    for (std::size_t i = 0; i < a.n_rot / 2; ++i) {
      float* x = a.x + head * a.head_dim + first(i);
      const float x0 = x[0], x1 = x[distance];
      x[0] = x0 * a.cos[i] - x1 * a.sin[i];
      x[distance] = x0 * a.sin[i] + x1 * a.cos[i];
    }
}

}  // namespace

void rope_adjacent(const RopeArgs& a) noexcept {
  turn(
      a, [](std::size_t i) { return 2 * i; }, 1);
}
void rope_halves(const RopeArgs& a) noexcept {
  turn(
      a, [](std::size_t i) { return i; }, a.n_rot / 2);
}

}  // namespace armature::kernels::scalar
