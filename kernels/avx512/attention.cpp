#include "kernels/avx512/simd.h"

namespace armature::kernels::avx512 {
namespace {

// Up to 4 queries go through a tile together, so that keys and values are loaded and converted once for them.
// What a query computes does not depend on how many: dots are 16 partial sums over the head, added in one
// order; sums over keys run in the order of the keys.
constexpr std::size_t kTogether = 4;
constexpr std::size_t kSums =
    16;  // registers of sums: queries times keys, or queries times parts of the head

/// Lane i of the result is the sum of the lanes of v[i]. Each step adds two halves of what is left of every
/// sum and brings two registers into one.
[[gnu::always_inline]] inline __m512 sums_of(const __m512 (&v)[kSums]) {
  __m512 two[8], four[4], eight[2];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 8; ++i)  // 8 lanes each: v[i] in the lower half, v[i + 8] in the upper
    two[i] =
        _mm512_add_ps(_mm512_shuffle_f32x4(v[i], v[i + 8], 0x44), _mm512_shuffle_f32x4(v[i], v[i + 8], 0xee));
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 4; ++i)  // 4 lanes each: v[i], v[i + 8], v[i + 4], v[i + 12]
    four[i] = _mm512_add_ps(_mm512_shuffle_f32x4(two[i], two[i + 4], 0x88),
                            _mm512_shuffle_f32x4(two[i], two[i + 4], 0xdd));
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 2; ++i)  // 2 lanes each, within 128 bits: those of four[i], then of four[i + 2]
    eight[i] = _mm512_add_ps(_mm512_shuffle_ps(four[i], four[i + 2], 0x44),
                             _mm512_shuffle_ps(four[i], four[i + 2], 0xee));
  const __m512 all =
      _mm512_add_ps(_mm512_shuffle_ps(eight[0], eight[1], 0x88), _mm512_shuffle_ps(eight[0], eight[1], 0xdd));
  // Lane 4a + b now has the sum of v[4 * (a in the order 0 2 1 3) + (b in the order 0 2 1 3)].
  return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15), all);
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
  __m512 sums[kSums];
#pragma GCC unroll 16
  for (__m512& s : sums) s = _mm512_setzero_ps();
  for (std::size_t i = 0; i < a.head_dim_k; i += kLanes) {
    const __mmask16 mask = lowest(a.head_dim_k - i);
    __m512 k[kKeys];
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kKeys; ++j) k[j] = load_16(keys[j] + i, mask);
#pragma GCC unroll 16
    for (std::size_t l = 0; l < kQueries; ++l) {
      const __m512 part = load_16(q + l * a.q_stride + i, mask);
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kKeys; ++j)
        sums[l * kKeys + j] = _mm512_fmadd_ps(part, k[j], sums[l * kKeys + j]);
    }
  }
  float dots[kSums];
  _mm512_storeu_ps(dots, sums_of(sums));
#pragma GCC unroll 16
  for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kKeys; ++j) out[l][key + j] = dots[l * kKeys + j];
}

void cap_scores(float softcap, std::size_t from, std::size_t to, float* scores) {
  const __m512 cap = _mm512_set1_ps(softcap);
  for (std::size_t key = from; key < to; key += kLanes)
    _mm512_storeu_ps(scores + key, _mm512_mul_ps(cap, tanh(_mm512_div_ps(load_16(scores + key), cap))));
}

/// Scores of one query to weights, in place, with its state; the weights of unseen keys in the registers of
/// seen ones become 0. Scales acc by what is left of the earlier tiles.
void weigh(const AttentionArgs& a, std::size_t query, std::size_t lo, std::size_t hi, float* scores) {
  const std::size_t from = lo / kLanes * kLanes;
  if (a.softcap > 0) cap_scores(a.softcap, from, hi, scores);
  for (std::size_t key = from; key < lo; ++key) scores[key] = -__builtin_inff();
  for (std::size_t key = hi; key % kLanes != 0; ++key) scores[key] = -__builtin_inff();
  // maxps gives its second operand when one is NaN: a NaN score leaves the maximum as it is.
  __m512 most = _mm512_set1_ps(a.max[query]);
  for (std::size_t key = from; key < hi; key += kLanes) most = _mm512_max_ps(load_16(scores + key), most);
  const float new_max = _mm512_reduce_max_ps(most);
  __m512 total = _mm512_setzero_ps();
  for (std::size_t key = from; key < hi; key += kLanes) {
    const __m512 w = exp(_mm512_sub_ps(load_16(scores + key), _mm512_set1_ps(new_max)));
    _mm512_storeu_ps(scores + key, w);
    total = _mm512_add_ps(total, w);
  }
  const float kept = exp(a.max[query] - new_max);
  a.max[query] = new_max;
  a.sum[query] = a.sum[query] * kept + _mm512_reduce_add_ps(total);
  float* acc = a.acc + query * a.acc_stride;
  for (std::size_t i = 0; i < a.head_dim_v; i += kLanes) {
    const __mmask16 mask = lowest(a.head_dim_v - i);
    _mm512_mask_storeu_ps(acc + i, mask, _mm512_mul_ps(load_16(acc + i, mask), _mm512_set1_ps(kept)));
  }
}

/// Adds weights * values of the keys from lo to hi to kParts registers of acc, the last with a mask, for
/// kQueries queries.
template <class V, std::size_t kQueries, std::size_t kParts>
void add_part(const AttentionArgs& a, float* acc, const float (*weights)[kMaxTileKeys + kSums],
              const V* values, std::size_t lo, std::size_t hi, __mmask16 last) {
  const auto mask_of = [&](std::size_t part) { return part + 1 == kParts ? last : __mmask16{0xffff}; };
  __m512 sums[kQueries][kParts];
#pragma GCC unroll 16
  for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p)
      sums[l][p] = load_16(acc + l * a.acc_stride + p * kLanes, mask_of(p));
  for (std::size_t key = lo; key < hi; ++key) {
    __m512 v[kParts];
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p)
      v[p] = load_16(values + key * a.v_stride + p * kLanes, mask_of(p));
#pragma GCC unroll 16
    for (std::size_t l = 0; l < kQueries; ++l) {
      const __m512 w = _mm512_set1_ps(weights[l][key]);
#pragma GCC unroll 16
      for (std::size_t p = 0; p < kParts; ++p) sums[l][p] = _mm512_fmadd_ps(w, v[p], sums[l][p]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t l = 0; l < kQueries; ++l)
#pragma GCC unroll 16
    for (std::size_t p = 0; p < kParts; ++p)
      _mm512_mask_storeu_ps(acc + l * a.acc_stride + p * kLanes, mask_of(p), sums[l][p]);
}

/// Adds weights * values of the keys from lo to hi, which all kQueries queries see.
template <class V, std::size_t kQueries>
void add_values(const AttentionArgs& a, std::size_t query, const float (*weights)[kMaxTileKeys + kSums],
                std::size_t lo, std::size_t hi) {
  if (lo >= hi) return;
  constexpr std::size_t kParts = kSums / kQueries < 8 ? kSums / kQueries : 8;
  float* acc = a.acc + query * a.acc_stride;
  const V* values = static_cast<const V*>(a.v);
  std::size_t i = 0;
  for (; i + kParts * kLanes <= a.head_dim_v; i += kParts * kLanes)
    add_part<V, kQueries, kParts>(a, acc + i, weights, values + i, lo, hi, 0xffff);
  for (; i < a.head_dim_v; i += kLanes)
    add_part<V, kQueries, 1>(a, acc + i, weights, values + i, lo, hi, lowest(a.head_dim_v - i));
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

}  // namespace armature::kernels::avx512
