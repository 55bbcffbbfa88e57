#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/rows.h"
#include "kernels/scalar/half.h"

namespace armature::kernels::scalar {
namespace {

float value_of(float element) { return element; }
float value_of(std::uint16_t element) { return f32_from_f16(element); }

template <class K>
float score(const AttentionArgs& a, const float* q, std::size_t key) {
  const K* k = static_cast<const K*>(a.k) + key * a.k_stride;
  double dot = 0;
  for (std::size_t i = 0; i < a.head_dim_k; ++i)
    dot += static_cast<double>(q[i]) * static_cast<double>(value_of(k[i]));
  const auto rounded = static_cast<float>(dot);
  return a.softcap > 0 ? a.softcap * std::tanh(rounded / a.softcap) : rounded;
}

/// One query over the visible keys of the tile. A NaN score leaves the maximum as it is, but its weight is
/// NaN and makes the sum and all of acc NaN for good.
template <class K, class V>
void attend(const AttentionArgs& a, std::size_t query) {
  const auto lo = static_cast<std::size_t>(a.lo[query]), hi = static_cast<std::size_t>(a.hi[query]);
  float weights[kMaxTileKeys];
  float max = a.max[query];
  for (std::size_t key = lo; key < hi; ++key) {
    weights[key] = score<K>(a, a.q + query * a.q_stride, key);
    max = std::max(max, weights[key]);
  }
  const float kept = std::exp(a.max[query] - max);  // what is left of the earlier tiles' weights
  float* acc = a.acc + query * a.acc_stride;
  for (std::size_t i = 0; i < a.head_dim_v; ++i) acc[i] *= kept;
  float sum = a.sum[query] * kept;
  for (std::size_t key = lo; key < hi; ++key) {
    const V* v = static_cast<const V*>(a.v) + key * a.v_stride;
    const float weight = std::exp(weights[key] - max);
    sum += weight;
    for (std::size_t i = 0; i < a.head_dim_v; ++i) acc[i] += weight * value_of(v[i]);
  }
  a.max[query] = max;
  a.sum[query] = sum;
}

template <class K, class V>
void attention(const AttentionArgs& a) {
  for (std::size_t query = 0; query < a.n_q; ++query)
    if (a.lo[query] < a.hi[query]) attend<K, V>(a, query);
}

}  // namespace

void attention_f32_f32(const AttentionArgs& a) noexcept { attention<float, float>(a); }
void attention_f32_f16(const AttentionArgs& a) noexcept { attention<float, std::uint16_t>(a); }
void attention_f16_f32(const AttentionArgs& a) noexcept { attention<std::uint16_t, float>(a); }
void attention_f16_f16(const AttentionArgs& a) noexcept { attention<std::uint16_t, std::uint16_t>(a); }

}  // namespace armature::kernels::scalar
