#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"
#include "kernels/neon/exp.h"
#include "kernels/neon/vectors.h"

namespace armature::kernels::neon {
namespace {

constexpr int kQueries = 4;  // at most share each key and value that is read and converted
constexpr int kKeys = 4;     // scored together, aligned within the tile

float32x4_t load_four(const float* x) { return vld1q_f32(x); }
float32x4_t load_four(const float16_t* x) { return vcvt_f32_f16(vld1_f16(x)); }

template <class Element>
float32x4_t load_rest(const Element* x, std::size_t count) {
  float rest[kLanes] = {};
  for (std::size_t i = 0; i < count; ++i) rest[i] = static_cast<float>(x[i]);
  return vld1q_f32(rest);
}

struct Range {
  std::size_t begin, end;
};

Range visible(const AttentionArgs& a, std::size_t query) {
  if (a.lo[query] >= a.hi[query]) return {0, 0};
  return {static_cast<std::size_t>(a.lo[query]), static_cast<std::size_t>(a.hi[query])};
}

/// Scores, then weights, of a tile for a few queries; those of invisible keys are not to be used.
struct Tile {
  float of[kQueries][kMaxTileKeys];
};

/// Scores of kCount queries from `first` on with the keys from `key` to `key` + 3; keys past the tile repeat
/// its last one. A score's sum over the head runs in the same order for any company.
template <class K, int kCount>
[[gnu::flatten]] void score_keys(const AttentionArgs& a, std::size_t first, std::size_t key, Tile& scores) {
  const K* k[kKeys];
  for (std::size_t j = 0; j < kKeys; ++j)
    k[j] = static_cast<const K*>(a.k) + (key + j < a.n_keys ? key + j : a.n_keys - 1) * a.k_stride;
  const float* q = a.q + first * a.q_stride;
  float32x4_t dots[kCount][kKeys];
  repeat<kCount>([&](auto i) { repeat<kKeys>([&](auto j) { dots[i][j] = vdupq_n_f32(0); }); });
  const auto add = [&](auto load) {
    float32x4_t elements[kKeys];
    repeat<kKeys>([&](auto j) { elements[j] = load(k[j]); });
    repeat<kCount>([&](auto i) {
      const float32x4_t of_query = load(q + i * a.q_stride);
      repeat<kKeys>([&](auto j) { dots[i][j] = vfmaq_f32(dots[i][j], elements[j], of_query); });
    });
  };
  std::size_t d = 0;
  for (; d + kLanes <= a.head_dim_k; d += kLanes) add([d](const auto* x) { return load_four(x + d); });
  if (d < a.head_dim_k) add([&a, d](const auto* x) { return load_rest(x + d, a.head_dim_k - d); });
  repeat<kCount>([&](auto i) { vst1q_f32(scores.of[i] + key, sums_of_lanes(dots[i])); });
}

/// acc[kVectors * kLanes] += weights of the keys in `range` * their values, key after key, for kCount
/// queries.
template <class V, int kCount, int kVectors>
[[gnu::flatten]] void add_columns(const AttentionArgs& a, const V* v, float* acc,
                                  const float (*weights)[kMaxTileKeys], Range range) {
  float32x4_t sums[kCount][kVectors];
  repeat<kCount>([&](auto i) {
    repeat<kVectors>([&](auto j) { sums[i][j] = vld1q_f32(acc + i * a.acc_stride + j * kLanes); });
  });
  for (std::size_t key = range.begin; key < range.end; ++key)
    repeat<kVectors>([&](auto j) {
      const float32x4_t values = load_four(v + key * a.v_stride + j * kLanes);
      repeat<kCount>([&](auto i) { sums[i][j] = vfmaq_n_f32(sums[i][j], values, weights[i][key]); });
    });
  repeat<kCount>([&](auto i) {
    repeat<kVectors>([&](auto j) { vst1q_f32(acc + i * a.acc_stride + j * kLanes, sums[i][j]); });
  });
}

/// The same for the whole of acc[head_dim_v].
template <class V, int kCount>
void add_values(const AttentionArgs& a, float* acc, const float (*weights)[kMaxTileKeys], Range range) {
  constexpr int kVectors = 4;
  if (range.begin >= range.end) return;
  const V* v = static_cast<const V*>(a.v);
  std::size_t d = 0;
  for (; d + kVectors * kLanes <= a.head_dim_v; d += kVectors * kLanes)
    add_columns<V, kCount, kVectors>(a, v + d, acc + d, weights, range);
  for (; d + kLanes <= a.head_dim_v; d += kLanes)
    add_columns<V, kCount, 1>(a, v + d, acc + d, weights, range);
  for (; d < a.head_dim_v; ++d)
    for (std::size_t i = 0; i < kCount; ++i)
      for (std::size_t key = range.begin; key < range.end; ++key) {
        float& sum = acc[i * a.acc_stride + d];
        sum = __builtin_fmaf(weights[i][key], static_cast<float>(v[key * a.v_stride + d]), sum);
      }
}

float32x4_t capped(float32x4_t scores, float softcap) {
  return vmulq_n_f32(tanh(vdivq_f32(scores, vdupq_n_f32(softcap))), softcap);
}

/// Turns one query's scores into weights, 0 outside `range`, and brings its max, sum and acc up to date but
/// for the values. A NaN score leaves the maximum as it is and makes the sum NaN.
void weigh(const AttentionArgs& a, std::size_t query, Range range, float* scores) {
  const std::size_t begin = range.begin / kKeys * kKeys;
  const uint32x4_t lane = {0, 1, 2, 3};
  float32x4_t largest = vdupq_n_f32(a.max[query]);
  for (std::size_t key = begin; key < range.end; key += kKeys) {
    const uint32x4_t place = vaddq_u32(lane, vdupq_n_u32(static_cast<std::uint32_t>(key)));
    const uint32x4_t seen = vandq_u32(vcgeq_u32(place, vdupq_n_u32(static_cast<std::uint32_t>(range.begin))),
                                      vcltq_u32(place, vdupq_n_u32(static_cast<std::uint32_t>(range.end))));
    float32x4_t four = vld1q_f32(scores + key);
    if (a.softcap > 0) four = capped(four, a.softcap);
    four = vbslq_f32(seen, four, vdupq_n_f32(-__builtin_inff()));
    largest = vmaxnmq_f32(largest, four);
    vst1q_f32(scores + key, four);
  }
  const float max = vmaxnmvq_f32(largest);
  const float kept = vgetq_lane_f32(exp(vdupq_n_f32(a.max[query] - max)), 0);
  float32x4_t sum = vdupq_n_f32(0);
  for (std::size_t key = begin; key < range.end; key += kKeys) {
    const float32x4_t four = exp(vsubq_f32(vld1q_f32(scores + key), vdupq_n_f32(max)));
    sum = vaddq_f32(sum, four);
    vst1q_f32(scores + key, four);
  }
  a.max[query] = max;
  a.sum[query] = a.sum[query] * kept + vaddvq_f32(sum);
  float* acc = a.acc + query * a.acc_stride;
  for_each_four(acc, a.head_dim_v, [&](auto load) { return vmulq_n_f32(load(acc), kept); });
}

/// kCount queries from `first` on. Keys that all of them see are read once; what lies around is added for
/// each query by itself, and always in the order of the keys.
template <class K, class V, int kCount>
void attend(const AttentionArgs& a, std::size_t first) {
  Range each[kCount], all = {a.n_keys, 0}, common = {0, a.n_keys};
  for (std::size_t i = 0; i < kCount; ++i) {
    each[i] = visible(a, first + i);
    common.begin = each[i].begin > common.begin ? each[i].begin : common.begin;
    common.end = each[i].end < common.end ? each[i].end : common.end;
    if (each[i].begin == each[i].end) continue;
    all.begin = each[i].begin < all.begin ? each[i].begin : all.begin;
    all.end = each[i].end > all.end ? each[i].end : all.end;
  }
  Tile tile;
  for (std::size_t key = all.begin / kKeys * kKeys; key < all.end; key += kKeys)
    score_keys<K, kCount>(a, first, key, tile);
  for (std::size_t i = 0; i < kCount; ++i)
    if (each[i].begin < each[i].end) weigh(a, first + i, each[i], tile.of[i]);

  float* acc = a.acc + first * a.acc_stride;
  if (common.begin >= common.end) {
    for (std::size_t i = 0; i < kCount; ++i)
      add_values<V, 1>(a, acc + i * a.acc_stride, tile.of + i, each[i]);
    return;
  }
  for (std::size_t i = 0; i < kCount; ++i)
    add_values<V, 1>(a, acc + i * a.acc_stride, tile.of + i, {each[i].begin, common.begin});
  add_values<V, kCount>(a, acc, tile.of, common);
  for (std::size_t i = 0; i < kCount; ++i)
    add_values<V, 1>(a, acc + i * a.acc_stride, tile.of + i, {common.end, each[i].end});
}

template <class K, class V>
void attention(const AttentionArgs& a) {
  in_groups_of_four(a.n_q, [&]<int kCount>(std::size_t first) { attend<K, V, kCount>(a, first); });
}

}  // namespace

void attention_f32_f32(const AttentionArgs& a) noexcept { attention<float, float>(a); }
void attention_f32_f16(const AttentionArgs& a) noexcept { attention<float, float16_t>(a); }
void attention_f16_f32(const AttentionArgs& a) noexcept { attention<float16_t, float>(a); }
void attention_f16_f16(const AttentionArgs& a) noexcept { attention<float16_t, float16_t>(a); }

}  // namespace armature::kernels::neon
