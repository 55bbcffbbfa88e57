#include <arm_neon.h>

#include <cstddef>

#include "kernels/args.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

using Pairs = float32x4x2_t;  // the first of each pair, and the second

Pairs turn(Pairs x, float32x4_t cos, float32x4_t sin) {
  return {{vfmsq_f32(vmulq_f32(x.val[0], cos), x.val[1], sin),
           vfmaq_f32(vmulq_f32(x.val[1], cos), x.val[0], sin)}};
}

Pairs turn(float first, float second, float cos, float sin) {
  return turn(Pairs{{vdupq_n_f32(first), vdupq_n_f32(second)}}, vdupq_n_f32(cos), vdupq_n_f32(sin));
}

}  // namespace

void rope_adjacent(const RopeArgs& a) noexcept {
  const std::size_t n_pairs = a.n_rot / 2;
  for (std::size_t head = 0; head < a.n_heads; ++head) {
    float* x = a.x + head * a.head_dim;
    std::size_t i = 0;
    for (; i + kLanes <= n_pairs; i += kLanes)
      vst2q_f32(x + 2 * i, turn(vld2q_f32(x + 2 * i), vld1q_f32(a.cos + i), vld1q_f32(a.sin + i)));
    for (; i < n_pairs; ++i) {
      const Pairs turned = turn(x[2 * i], x[2 * i + 1], a.cos[i], a.sin[i]);
      x[2 * i] = vgetq_lane_f32(turned.val[0], 0);
      x[2 * i + 1] = vgetq_lane_f32(turned.val[1], 0);
    }
  }
}

void rope_halves(const RopeArgs& a) noexcept {
  const std::size_t n_pairs = a.n_rot / 2;
  for (std::size_t head = 0; head < a.n_heads; ++head) {
    float *first = a.x + head * a.head_dim, *second = first + n_pairs;
    std::size_t i = 0;
    for (; i + kLanes <= n_pairs; i += kLanes) {
      const Pairs pairs = {{vld1q_f32(first + i), vld1q_f32(second + i)}};
      const Pairs turned = turn(pairs, vld1q_f32(a.cos + i), vld1q_f32(a.sin + i));
      vst1q_f32(first + i, turned.val[0]);
      vst1q_f32(second + i, turned.val[1]);
    }
    for (; i < n_pairs; ++i) {
      const Pairs turned = turn(first[i], second[i], a.cos[i], a.sin[i]);
      first[i] = vgetq_lane_f32(turned.val[0], 0);
      second[i] = vgetq_lane_f32(turned.val[1], 0);
    }
  }
}

}  // namespace armature::kernels::neon
