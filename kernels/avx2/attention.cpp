#include "kernels/avx2/simd.h"

namespace armature::kernels::avx2 {
namespace {

// Up to 4 queries go through a tile together, so that keys and values are loaded and converted once for them.
// What a query computes does not depend on how many: dots are 8 partial sums over the head, added in one
// order; sums over keys run in the order of the keys.
constexpr std::size_t kTogether = 4;
constexpr std::size_t kSums =
    8;  // registers of sums at a time: queries times keys, or queries times parts of the head

/// Lane i of the result is the sum of the lanes of v[i].
[[gnu::always_inline]] inline __m256 sums_of(const __m256 (&v)[kSums]) {
  const __m256 a = _mm256_hadd_ps(_mm256_hadd_ps(v[0], v[1]), _mm256_hadd_ps(v[2], v[3]));
  const __m256 b = _mm256_hadd_ps(_mm256_hadd_ps(v[4], v[5]), _mm256_hadd_ps(v[6], v[7]));
  return _mm256_add_ps(_mm256_permute2f128_ps(a, b, 0x20), _mm256_permute2f128_ps(a, b, 0x31));
}

/// Weights of the tile's keys for some queries: first scores, then exp(score - max).
using Weights = float[kTogether][kMaxTileKeys + kSums];

/// Scores of kQueries queries for the keys from `key` on, kSums / kQueries of them (fewer at n_keys, where
/// the last key stands for those beyond it).
template <class K, std::size_t kQueries>
void score_keys(const AttentionArgs& a, std::size_t query, std::size_t key, Weights& out) {
  constexpr std::size_t kKeys = kSums / kQueries;
  const float* q = a.q + query * a.q_stride;
  const K* keys[kKeys];
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kKeys; ++j)
    keys[j] = static_cast<const K*>(a.k) + smaller(key + j, a.n_keys - 1) * a.k_stride;
  __m256 sums[kSums];
#pragma GCC unroll 16
  for (__m256& s : sums) s = _mm256_setzero_ps();
  std::size_t i = 0;
  for (; i + kLanes <= a.head_dim_k; i += kLanes) {
    __m256 k[kKeys];
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kKeys; ++j) k[j] = load_8(keys[j] + i);
#pragma GCC unroll 16
    for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kKeys; ++j)
        sums[l * kKeys + j] = _mm256_fmadd_ps(load_8(q + l * a.q_stride + i), k[j], sums[l * kKeys + j]);
  }
  float dots[kSums];
  _mm256_storeu_ps(dots, sums_of(sums));
  for (; i < a.head_dim_k; ++i)
#pragma GCC unroll 16
    for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kKeys; ++j)
        dots[l * kKeys + j] += q[l * a.q_stride + i] * load_1(keys[j] + i);
#pragma GCC unroll 16
  for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kKeys; ++j) out[l][key + j] = dots[l * kKeys + j];
}

void cap_scores(float softcap, std::size_t from, std::size_t to, float* scores) {
  const __m256 cap = _mm256_set1_ps(softcap);
  for (std::size_t key = from; key < to; key += kLanes)
    _mm256_storeu_ps(scores + key, _mm256_mul_ps(cap, tanh(_mm256_div_ps(load_8(scores + key), cap))));
}

/// Scores of one query to weights, in place, with its state; the weights of unseen keys in the registers of
/// seen ones become 0. Scales acc by what is left of the earlier tiles.
void weigh(const AttentionArgs& a, std::size_t query, std::size_t lo, std::size_t hi, float* scores) {
  const std::size_t from = lo / kLanes * kLanes;
  if (a.softcap > 0) cap_scores(a.softcap, from, hi, scores);
  for (std::size_t key = from; key < lo; ++key) scores[key] = -__builtin_inff();
  for (std::size_t key = hi; key % kLanes != 0; ++key) scores[key] = -__builtin_inff();
  // maxps gives its second operand when one is NaN: a NaN score leaves the maximum as it is.
  __m256 most = _mm256_set1_ps(-__builtin_inff());
  for (std::size_t key = from; key < hi; key += kLanes) most = _mm256_max_ps(load_8(scores + key), most);
  const float tile_max = max(most);
  const float new_max = tile_max > a.max[query] ? tile_max : a.max[query];
  __m256 total = _mm256_setzero_ps();
  for (std::size_t key = from; key < hi; key += kLanes) {
    const __m256 w = exp(_mm256_sub_ps(load_8(scores + key), _mm256_set1_ps(new_max)));
    _mm256_storeu_ps(scores + key, w);
    total = _mm256_add_ps(total, w);
  }
  const float kept = exp(a.max[query] - new_max);
  a.max[query] = new_max;
  a.sum[query] = a.sum[query] * kept + sum(total);
  float* acc = a.acc + query * a.acc_stride;
  std::size_t i = 0;
  for (; i + kLanes <= a.head_dim_v; i += kLanes)
    _mm256_storeu_ps(acc + i, _mm256_mul_ps(load_8(acc + i), _mm256_set1_ps(kept)));
  for (; i < a.head_dim_v; ++i) acc[i] *= kept;
}

/// Adds weights * values of the keys from lo to hi to kParts registers of acc, for kQueries queries.
template <class V, std::size_t kQueries, std::size_t kParts>
void add_part(const AttentionArgs& a, float* acc, const float (*weights)[kMaxTileKeys + kSums],
              const V* values, std::size_t lo, std::size_t hi) {
  __m256 sums[kQueries][kParts];
#pragma GCC unroll 16
  for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p) sums[l][p] = load_8(acc + l * a.acc_stride + p * kLanes);
  for (std::size_t key = lo; key < hi; ++key) {
    __m256 v[kParts];
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p) v[p] = load_8(values + key * a.v_stride + p * kLanes);
#pragma GCC unroll 16
    for (std::size_t l = 0; l < kQueries; ++l) {
      const __m256 w = _mm256_set1_ps(weights[l][key]);
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kParts; ++p) sums[l][p] = _mm256_fmadd_ps(w, v[p], sums[l][p]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p)
      _mm256_storeu_ps(acc + l * a.acc_stride + p * kLanes, sums[l][p]);
}

/// Adds weights * values of the keys from lo to hi, which all kQueries queries see.
template <class V, std::size_t kQueries>
void add_values(const AttentionArgs& a, std::size_t query, const float (*weights)[kMaxTileKeys + kSums],
                std::size_t lo, std::size_t hi) {
  if (lo >= hi) return;
  constexpr std::size_t kParts = kSums / kQueries;
  float* acc = a.acc + query * a.acc_stride;
  const V* values = static_cast<const V*>(a.v);
  std::size_t i = 0;
  for (; i + kParts * kLanes <= a.head_dim_v; i += kParts * kLanes)
    add_part<V, kQueries, kParts>(a, acc + i, weights, values + i, lo, hi);
  for (; i + kLanes <= a.head_dim_v; i += kLanes)
    add_part<V, kQueries, 1>(a, acc + i, weights, values + i, lo, hi);
  for (; i < a.head_dim_v; ++i)
#pragma GCC unroll 16
    for (std::size_t l = 0; l < kQueries; ++l)
      for (std::size_t key = lo; key < hi; ++key)
        acc[l * a.acc_stride + i] += weights[l][key] * load_1(values + key * a.v_stride + i);
}

template <class K, class V, std::size_t kQueries>
void attend(const AttentionArgs& a, std::size_t query) {
  std::size_t lo[kQueries], hi[kQueries];
  std::size_t first = a.n_keys, last = 0;           // keys that some query sees
  std::size_t shared_lo = 0, shared_hi = a.n_keys;  // keys that all see
  for (std::size_t l = 0; l < kQueries; ++l) {
    const bool sees = a.lo[query + l] < a.hi[query + l];
    lo[l] = sees ? static_cast<std::size_t>(a.lo[query + l]) : 0;
    hi[l] = sees ? static_cast<std::size_t>(a.hi[query + l]) : 0;
    if (sees) first = smaller(first, lo[l]);
    if (hi[l] > last) last = hi[l];
    if (lo[l] > shared_lo) shared_lo = lo[l];
    shared_hi = smaller(shared_hi, hi[l]);
  }
  if (first >= last) return;
  Weights weights = {};
  for (std::size_t key = first; key < last; key += kSums / kQueries)
    score_keys<K, kQueries>(a, query, key, weights);
  for (std::size_t l = 0; l < kQueries; ++l)
    if (lo[l] < hi[l]) weigh(a, query + l, lo[l], hi[l], weights[l]);
  if (shared_lo >= shared_hi) {
    for (std::size_t l = 0; l < kQueries; ++l) add_values<V, 1>(a, query + l, weights + l, lo[l], hi[l]);
    return;
  }
  for (std::size_t l = 0; l < kQueries; ++l) add_values<V, 1>(a, query + l, weights + l, lo[l], shared_lo);
  add_values<V, kQueries>(a, query, weights, shared_lo, shared_hi);
  for (std::size_t l = 0; l < kQueries; ++l) add_values<V, 1>(a, query + l, weights + l, shared_hi, hi[l]);
}

template <class K, class V>
void attention(const AttentionArgs& a) {
  std::size_t query = 0;
  for (; query + 4 <= a.n_q; query += 4) attend<K, V, 4>(a, query);
  if (query + 2 <= a.n_q) {
    attend<K, V, 2>(a, query);
    query += 2;
  }
  if (query < a.n_q) attend<K, V, 1>(a, query);
}

}  // namespace

void attention_f32_f32(const AttentionArgs& a) noexcept { attention<float, float>(a); }
void attention_f32_f16(const AttentionArgs& a) noexcept { attention<float, std::uint16_t>(a); }
void attention_f16_f32(const AttentionArgs& a) noexcept { attention<std::uint16_t, float>(a); }
void attention_f16_f16(const AttentionArgs& a) noexcept { attention<std::uint16_t, std::uint16_t>(a); }

}  // namespace armature::kernels::avx2
