#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <sstream>
#include <vector>

#include "kernels/scalar/half.h"
#include "tests/kernels/operands.h"
#include "tests/kernels/row_test.h"
#include "tests/support/guarded.h"

namespace armature::test {
namespace {

using gguf::TensorType;

class AttentionRows : public RowTest<kernels::AttentionRow> {};

/// Elements of a KV cache in their type, with a stride, behind a guard page.
class Cache {
 public:
  Cache(TensorType type, std::size_t n, std::size_t dim, Rng& rng)
      : type_(type), stride_(dim + rng.below(3)), bytes_(((n - 1) * stride_ + dim) * size()) {
    for (std::size_t i = 0; i < bytes_.size() / size(); ++i) put(i, rng.normal());
  }

  const void* key(std::size_t i) const { return bytes_.data() + i * stride_ * size(); }
  std::size_t stride() const { return stride_; }
  void set(std::size_t key, std::size_t i, float value) { put(key * stride_ + i, value); }
  double at(std::size_t key, std::size_t i) const {
    const std::uint8_t* p = bytes_.data() + (key * stride_ + i) * size();
    if (type_ == TensorType::F32) return static_cast<double>(*reinterpret_cast<const float*>(p));
    return static_cast<double>(kernels::scalar::f32_from_f16(*reinterpret_cast<const std::uint16_t*>(p)));
  }

 private:
  std::size_t size() const { return type_ == TensorType::F32 ? 4 : 2; }
  void put(std::size_t i, float value) {
    std::uint8_t* p = bytes_.data() + i * size();
    if (type_ == TensorType::F32)
      *reinterpret_cast<float*>(p) = value;
    else
      *reinterpret_cast<std::uint16_t*>(p) = kernels::scalar::f16_from_f32(value);
  }

  TensorType type_;
  std::size_t stride_;
  Guarded<std::uint8_t> bytes_;
};

struct Shape {
  std::size_t n_q, n_keys, dim_k, dim_v;
  float softcap;
  float size;  // of the queries: large ones make one key win
};

/// A sequence of keys and values, queries, and for each query the keys that it sees.
struct Problem {
  Problem(const kernels::AttentionRow& row, const Shape& s, Rng& rng)
      : shape(s), k(row.k, s.n_keys, s.dim_k, rng), v(row.v, s.n_keys, s.dim_v, rng), q(s.n_q * s.dim_k) {
    const float scale = s.size / std::sqrt(static_cast<float>(s.dim_k));
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = scale * rng.normal();
    for (std::size_t i = 0; i < s.n_q; ++i) {
      const int end = 1 + static_cast<int>(rng.below(s.n_keys));
      hi.push_back(end);
      lo.push_back(rng.below(2) ? 0 : static_cast<int>(rng.below(static_cast<std::size_t>(end))));
    }
  }

  Shape shape;
  Cache k, v;
  Guarded<float> q;
  std::vector<int> lo, hi;  // of the whole sequence
};

/// acc / sum of the queries [first, first + n_q), made tile by tile.
std::vector<float> run(const kernels::AttentionRow& row, const Problem& p, std::size_t first, std::size_t n_q,
                       std::size_t tile) {
  const std::size_t dim_v = p.shape.dim_v, acc_stride = dim_v + 1;
  Guarded<float> max(n_q), sum(n_q), acc((n_q - 1) * acc_stride + dim_v);
  std::fill_n(max.data(), n_q, -std::numeric_limits<float>::infinity());
  std::fill_n(sum.data(), n_q, 0.0f);
  std::fill_n(acc.data(), acc.size(), 0.0f);
  for (std::size_t start = 0; start < p.shape.n_keys; start += tile) {
    const std::size_t n_keys = std::min(tile, p.shape.n_keys - start);
    Guarded<std::int32_t> lo(n_q), hi(n_q);
    for (std::size_t i = 0; i < n_q; ++i) {
      const auto within = [&](int key) {
        return std::clamp(key - static_cast<int>(start), 0, static_cast<int>(n_keys));
      };
      lo[i] = within(p.lo[first + i]);
      hi[i] = within(p.hi[first + i]);
    }
    row.run({p.q.data() + first * p.shape.dim_k, p.shape.dim_k, p.k.key(start), p.v.key(start), p.k.stride(),
             p.v.stride(), lo.data(), hi.data(), max.data(), sum.data(), acc.data(), acc_stride, n_q, n_keys,
             p.shape.dim_k, dim_v, p.shape.softcap});
  }
  EXPECT_TRUE(max.surroundings_intact() && sum.surroundings_intact() && acc.surroundings_intact());
  std::vector<float> out;
  for (std::size_t i = 0; i < n_q; ++i)
    for (std::size_t d = 0; d < dim_v; ++d) out.push_back(acc[i * acc_stride + d] / sum[i]);
  return out;
}

/// One query by the textbook, in double; and what a float row may differ.
struct ExactQuery {
  std::vector<double> out, tolerance;
};
ExactQuery exact_query(const Problem& p, std::size_t query) {
  const Shape& s = p.shape;
  const auto lo = static_cast<std::size_t>(p.lo[query]), hi = static_cast<std::size_t>(p.hi[query]);
  const auto softcap = static_cast<double>(s.softcap);
  std::vector<double> scores;
  double score_size = 0;
  for (std::size_t key = lo; key < hi; ++key) {
    double dot = 0, size = 0;
    for (std::size_t i = 0; i < s.dim_k; ++i) {
      const double product = static_cast<double>(p.q[query * s.dim_k + i]) * p.k.at(key, i);
      dot += product;
      size += std::abs(product);
    }
    scores.push_back(softcap > 0 ? softcap * std::tanh(dot / softcap) : dot);
    score_size = std::max(score_size, size);
  }
  // An error of a score is a relative error of its weight; so are those of the difference and of the
  // exponential. The softcap is a few roundings of numbers up to its size.
  const double score_error =
      (2 * std::sqrt(static_cast<double>(s.dim_k)) + 8) * kUnit * score_size + 16 * kUnit * softcap;
  const double relative = 2 * score_error + (32 + 4 * std::sqrt(static_cast<double>(hi - lo))) * kUnit;
  const double max = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  ExactQuery result{std::vector<double>(s.dim_v), std::vector<double>(s.dim_v)};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double weight = std::exp(scores[i] - max);
    sum += weight;
    for (std::size_t d = 0; d < s.dim_v; ++d) {
      result.out[d] += weight * p.v.at(lo + i, d);
      result.tolerance[d] += weight * std::abs(p.v.at(lo + i, d));
    }
  }
  for (std::size_t d = 0; d < s.dim_v; ++d) {
    result.out[d] /= sum;
    result.tolerance[d] = 2 * relative * (result.tolerance[d] / sum) + 0x1p-120;
  }
  return result;
}

std::vector<Shape> shapes(Rng& rng) {
  std::vector<Shape> all;
  for (std::size_t dim : {64u, 1u, 8u, 20u, 32u, 33u, 80u, 96u, 100u, 128u, 256u})
    for (std::size_t n_keys : {1u, 2u, 15u, 16u, 17u, 63u, 64u, 65u, 150u})
      all.push_back({1 + rng.below(10), n_keys, dim, rng.below(3) ? dim : 1 + rng.below(100),
                     rng.below(4) ? 0.0f : 3.0f, rng.below(4) ? 1.0f : 30.0f});
  return all;
}

std::string describe(const Shape& s) {
  std::ostringstream text;
  text << "n_q " << s.n_q << ", n_keys " << s.n_keys << ", dim_k " << s.dim_k << ", dim_v " << s.dim_v
       << ", softcap " << s.softcap << ", size " << s.size << ", seed " << base_seed();
  return text.str();
}

TEST_P(AttentionRows, AreNearDoubleArithmetic) {
  Rng rng(base_seed());
  for (const Shape& shape : shapes(rng)) {
    SCOPED_TRACE(label() + ": " + describe(shape));
    const Problem p(row(), shape, rng);
    const std::vector<float> got = run(row(), p, 0, shape.n_q, rng.below(2) ? 64 : 1 + rng.below(64));
    for (std::size_t i = 0; i < shape.n_q; ++i) {
      const ExactQuery want = exact_query(p, i);
      for (std::size_t d = 0; d < shape.dim_v; ++d)
        ASSERT_NEAR(static_cast<double>(got[i * shape.dim_v + d]), want.out[d], want.tolerance[d])
            << "query " << i << " sees " << p.lo[i] << " to " << p.hi[i] << ", element " << d;
    }
  }
}

TEST_P(AttentionRows, GiveTheSameBitsAloneAndInCompany) {
  Rng rng(base_seed() + 1);
  for (const Shape& shape : shapes(rng)) {
    const Problem p(row(), shape, rng);
    const std::vector<float> all = run(row(), p, 0, shape.n_q, 64);
    const std::size_t first = rng.below(shape.n_q), count = 1 + rng.below(shape.n_q - first);
    const std::vector<float> part = run(row(), p, first, count, 64);
    for (std::size_t i = 0; i < part.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(part[i]),
                std::bit_cast<std::uint32_t>(all[first * shape.dim_v + i]))
          << label() << ": " << describe(shape) << ", queries " << first << " to " << first + count
          << ", element " << i;
  }
}

/// A query that sees nothing of a tile keeps its state, and a NaN key or value reaches those alone that see
/// it.
TEST_P(AttentionRows, SeeOnlyWhatIsVisible) {
  Rng rng(base_seed() + 2);
  const std::size_t dim = 64, n_keys = 64, n_q = 4;
  Problem p(row(), {n_q, n_keys, dim, dim, 0.0f, 1.0f}, rng);
  p.lo = {10, 5, 64, 0}, p.hi = {20, 5, 0, 64};
  const std::vector<float> want = run(row(), p, 0, 1, n_keys);
  p.k.set(30, 7, std::numeric_limits<float>::quiet_NaN());
  p.v.set(31, 9, std::numeric_limits<float>::quiet_NaN());
  Guarded<float> max(n_q), sum(n_q), acc(n_q * dim);
  std::fill_n(max.data(), n_q, -std::numeric_limits<float>::infinity());
  std::fill_n(sum.data(), n_q, 0.0f);
  std::fill_n(acc.data(), n_q * dim, 0.0f);
  row().run({p.q.data(), dim, p.k.key(0), p.v.key(0), p.k.stride(), p.v.stride(), p.lo.data(), p.hi.data(),
             max.data(), sum.data(), acc.data(), dim, n_q, n_keys, dim, dim, 0.0f});
  for (std::size_t d = 0; d < dim; ++d) {
    EXPECT_EQ(acc[d] / sum[0], want[d]) << label() << ": element " << d;
    EXPECT_TRUE(std::isnan(acc[3 * dim + d])) << label() << ": element " << d;
  }
  for (std::size_t i : {1u, 2u}) {
    EXPECT_EQ(max[i], -std::numeric_limits<float>::infinity()) << label();
    EXPECT_EQ(sum[i], 0.0f) << label();
    for (std::size_t d = 0; d < dim; ++d) EXPECT_EQ(acc[i * dim + d], 0.0f) << label();
  }
}

TEST_P(AttentionRows, KeepNanInItsQuery) {
  Rng rng(base_seed() + 3);
  for (std::size_t n_keys : {1u, 40u, 130u})
    for (float softcap : {0.0f, 3.0f}) {
      Problem p(row(), {5, n_keys, 64, 64, softcap, 1.0f}, rng);
      p.lo.assign(5, 0), p.hi.assign(5, static_cast<int>(n_keys));
      const std::vector<float> clean = run(row(), p, 0, 5, 64);
      p.q[2 * 64 + 7] = std::numeric_limits<float>::quiet_NaN();
      const std::vector<float> got = run(row(), p, 0, 5, 64);
      for (std::size_t i = 0; i < got.size(); ++i) {
        if (i / 64 == 2)
          EXPECT_TRUE(std::isnan(got[i])) << label() << ": keys " << n_keys << ", element " << i;
        else
          EXPECT_EQ(got[i], clean[i]) << label() << ": keys " << n_keys << ", element " << i;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Table, AttentionRows,
                         testing::ValuesIn(kernels::attention_rows().begin(),
                                           kernels::attention_rows().end()),
                         test_name<kernels::AttentionRow>);

}  // namespace
}  // namespace armature::test
