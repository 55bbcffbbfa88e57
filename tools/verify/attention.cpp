#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gguf/compose.h"
#include "tools/synth/weight_types.h"
#include "tools/verify/output.h"
#include "tools/verify/rows.h"

namespace armature::tools::verify {
namespace {

constexpr std::uint64_t kSeed = 3;

struct Shape {
  std::size_t n_q, n_keys, dim_k, dim_v;
  float softcap;
};

/// A sequence of keys and values, queries, and the keys that each of them sees.
struct Problem {
  Problem(const kernels::AttentionRow& row, const Shape& s, Random& random)
      : shape(s),
        q(s.n_q * s.dim_k),
        k(cells(row.k, s.n_keys * s.dim_k, random)),
        v(cells(row.v, s.n_keys * s.dim_v, random)) {
    const double size = 3 / std::sqrt(static_cast<double>(s.dim_k));
    for (float& value : q) value = static_cast<float>(size * random.signed_unit());
    for (std::size_t i = 0; i < s.n_q; ++i) {
      hi.push_back(static_cast<std::int32_t>(1 + random.below(s.n_keys)));
      lo.push_back(i % 2 == 0 ? 0
                              : static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(hi[i]))));
    }
  }

  static std::vector<std::byte> cells(gguf::TensorType type, std::size_t n, Random& random) {
    const std::size_t size = gguf::type_info(type).block_bytes;
    std::vector<std::byte> bytes(n * size);
    for (std::size_t i = 0; i < n; ++i)
      synth::put_number(&bytes[i * size], type, static_cast<float>(2 * random.signed_unit()));
    return bytes;
  }

  Shape shape;
  std::vector<float> q;
  std::vector<std::byte> k, v;
  std::vector<std::int32_t> lo, hi;  // of the whole sequence
};

/// Runs the tiles of the sequence; `out` becomes acc / sum.
Fault run(const kernels::AttentionRow& row, const Problem& p, std::size_t tile, Output& out) {
  const Shape& s = p.shape;
  const std::size_t k_bytes = gguf::type_info(row.k).block_bytes,
                    v_bytes = gguf::type_info(row.v).block_bytes;
  std::vector<float> max(s.n_q, -std::numeric_limits<float>::infinity()), sum(s.n_q);
  std::vector<std::int32_t> lo(s.n_q), hi(s.n_q);
  for (std::size_t i = 0; i < s.n_q; ++i) std::fill_n(out.data() + i * out.stride(), s.dim_v, 0.0f);
  for (std::size_t first = 0; first < s.n_keys; first += tile) {
    const std::size_t n_keys = std::min(tile, s.n_keys - first);
    for (std::size_t i = 0; i < s.n_q; ++i) {
      const auto within = [&](std::int32_t key) {
        return std::clamp(key - static_cast<std::int32_t>(first), 0, static_cast<std::int32_t>(n_keys));
      };
      lo[i] = within(p.lo[i]), hi[i] = within(p.hi[i]);
    }
    row.run({p.q.data(), s.dim_k, &p.k[first * s.dim_k * k_bytes], &p.v[first * s.dim_v * v_bytes], s.dim_k,
             s.dim_v, lo.data(), hi.data(), max.data(), sum.data(), out.data(), out.stride(), s.n_q, n_keys,
             s.dim_k, s.dim_v, s.softcap});
  }
  if (auto fault = out.written_beside()) return fault;
  for (std::size_t i = 0; i < s.n_q; ++i)
    for (std::size_t d = 0; d < s.dim_v; ++d) out.data()[i * out.stride() + d] /= sum[i];
  return {};
}

Fault fault_of_shape(const kernels::AttentionRow& row, const Shape& s, std::size_t tile, Random& random) {
  const auto& definition = kernels::choose_attention(row.k, row.v, cpu::kNone);
  const Problem p(row, s, random);
  Output got(s.n_q, s.dim_v), want(s.n_q, s.dim_v);
  if (auto fault = run(row, p, tile, got)) return fault;
  if (auto fault = run(definition, p, tile, want)) return fault;
  constexpr double kTolerance =
      1e-4;  // values are up to 2; scores err by a few units of 2^-24 times their size
  for (std::size_t i = 0; i < s.n_q; ++i)
    for (std::size_t d = 0; d < s.dim_v; ++d) {
      const double a = static_cast<double>(got.at(i, d)), b = static_cast<double>(want.at(i, d));
      if (!(std::abs(a - b) <= kTolerance))
        return compose("query {}, which sees keys {} to {}, element {} is {}, not {}", i, p.lo[i],
                       p.hi[i] - 1, d, a, b);
    }
  return {};
}

}  // namespace

Fault fault_of(const kernels::AttentionRow& row) {
  Random random(kSeed);
  for (const std::size_t dim : {64u, 8u, 33u, 80u, 96u, 128u, 256u})
    for (const std::size_t n_keys : {1u, 15u, 17u, 64u, 65u, 150u}) {
      const Shape shape{1 + random.below(9), n_keys, dim, random.below(3) == 0 ? 1 + random.below(100) : dim,
                        random.below(4) == 0 ? 3.0f : 0.0f};
      const std::size_t tile = random.below(2) == 0 ? kernels::kMaxTileKeys : 1 + random.below(63);
      if (const auto fault = fault_of_shape(row, shape, tile, random))
        return compose("{} queries, {} keys of {}, values of {}: {}", shape.n_q, n_keys, dim, shape.dim_v,
                       *fault);
    }
  return {};
}

}  // namespace armature::tools::verify
