#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tests/kernels/operands.h"
#include "tests/kernels/row_test.h"
#include "tests/support/guarded.h"

/// Norms, RoPE, activations and softmax against double arithmetic.
namespace armature::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kLengths[] = {1,  2,  3,  4,  7,  8,  9,   15,  16,  17,
                                    31, 33, 63, 64, 65, 96, 100, 288, 576, 2048};

class NormRows : public RowTest<kernels::NormRow> {};
class RopeRows : public RowTest<kernels::RopeRow> {};
class ActivationRows : public RowTest<kernels::ActivationRow> {};
class SoftmaxRows : public RowTest<kernels::SoftmaxRow> {};

Guarded<float> normal_values(std::size_t n, float size, Rng& rng) {
  Guarded<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = size * rng.normal();
  return x;
}

std::vector<double> as_double(const float* x, std::size_t n) { return {x, x + n}; }

/// One row of the norm and, for each element, the size of the numbers that are added to make it.
struct ExactNorm {
  std::vector<double> out, magnitude;
};
ExactNorm exact_norm(kernels::Norm kind, const std::vector<double>& x, const float* weight, const float* bias,
                     double eps) {
  const auto n = static_cast<double>(x.size());
  double mean = 0, mean_size = 0, squares = 0;
  if (kind == kernels::Norm::Layer)
    for (double value : x) mean += value / n, mean_size += std::abs(value) / n;
  for (double value : x) squares += (value - mean) * (value - mean);
  const double scale = 1 / std::sqrt(squares / n + eps);
  ExactNorm result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double w = static_cast<double>(weight[i]), b = bias ? static_cast<double>(bias[i]) : 0;
    result.out.push_back((x[i] - mean) * scale * w + b);
    result.magnitude.push_back((std::abs(x[i]) + mean_size) * scale * std::abs(w) + std::abs(b));
  }
  return result;
}

TEST_P(NormRows, AreNearDoubleArithmetic) {
  Rng rng(base_seed());
  for (std::size_t n : kLengths)
    for (float size : {1.0f, 1e-4f, 1e4f, 0.0f})
      for (bool in_place : {false, true}) {
        const bool has_bias = row().kind == kernels::Norm::Layer && rng.below(2) == 0;
        const std::size_t m = 1 + rng.below(3), stride = n + 2;
        Guarded<float> x = normal_values((m - 1) * stride + n, size, rng), weight = normal_values(n, 1, rng),
                       bias = normal_values(n, 1, rng), separate((m - 1) * stride + n);
        const std::vector<double> before = as_double(x.data(), x.size());
        float* out = in_place ? x.data() : separate.data();
        const float eps = 1e-5f;
        row().run(
            {out, stride, x.data(), stride, weight.data(), has_bias ? bias.data() : nullptr, m, n, eps});
        EXPECT_TRUE(x.surroundings_intact() && separate.surroundings_intact());
        for (std::size_t i = 0; i < m * n; ++i) {
          const std::size_t r = i / n, c = i % n;
          const ExactNorm want =
              exact_norm(row().kind,
                         {before.begin() + static_cast<std::ptrdiff_t>(r * stride),
                          before.begin() + static_cast<std::ptrdiff_t>(r * stride + n)},
                         weight.data(), has_bias ? bias.data() : nullptr, static_cast<double>(eps));
          const double tolerance = 8 * (std::sqrt(static_cast<double>(n)) + 1) * kUnit * want.magnitude[c];
          ASSERT_NEAR(static_cast<double>(out[r * stride + c]), want.out[c], tolerance)
              << label() << ": m " << m << ", n " << n << ", size " << size << ", row " << r << ", column "
              << c << ", seed " << base_seed();
          if (c == 0 && i + n < m * n && n > 300) i += n - 2;  // long rows: the first and the last column
        }
      }
}

TEST_P(NormRows, MakeNanOfNan) {
  std::vector<float> x(40, 1.0f), weight(40, 1.0f), out(40);
  x[17] = kNan;
  row().run({out.data(), 40, x.data(), 40, weight.data(), nullptr, 1, 40, 1e-5f});
  for (float value : out) EXPECT_TRUE(std::isnan(value)) << label();
}

TEST_P(RopeRows, AreNearDoubleArithmetic) {
  Rng rng(base_seed());
  for (std::size_t n_rot : {2u, 4u, 6u, 8u, 16u, 20u, 32u, 64u, 80u, 128u})
    for (std::size_t rest : {0u, 2u, 16u}) {
      const std::size_t n_heads = 1 + rng.below(4), head_dim = n_rot + rest, half = n_rot / 2;
      Guarded<float> x = normal_values(n_heads * head_dim, 1, rng), cos(half), sin(half);
      for (std::size_t i = 0; i < half; ++i) {
        const float angle = rng.uniform(-3.0f, 3.0f);
        cos[i] = std::cos(angle), sin[i] = std::sin(angle);
      }
      std::vector<double> want = as_double(x.data(), x.size()), tolerance(x.size(), 0.0);
      const bool adjacent = row().pairs == kernels::RopePairs::Adjacent;
      for (std::size_t head = 0; head < n_heads; ++head)
        for (std::size_t i = 0; i < half; ++i) {
          const std::size_t a = head * head_dim + (adjacent ? 2 * i : i), b = a + (adjacent ? 1 : half);
          const double x0 = want[a], x1 = want[b], c = static_cast<double>(cos[i]),
                       s = static_cast<double>(sin[i]);
          want[a] = x0 * c - x1 * s;
          want[b] = x0 * s + x1 * c;
          tolerance[a] = 3 * kUnit * (std::abs(x0 * c) + std::abs(x1 * s));
          tolerance[b] = 3 * kUnit * (std::abs(x0 * s) + std::abs(x1 * c));
        }
      row().run({x.data(), cos.data(), sin.data(), n_heads, head_dim, n_rot});
      EXPECT_TRUE(x.surroundings_intact());
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(static_cast<double>(x[i]), want[i], tolerance[i])
            << label() << ": heads " << n_heads << " of " << head_dim << ", n_rot " << n_rot << ", element "
            << i << ", seed " << base_seed();
    }
}

double exact_activation(kernels::Activation kind, double x) {
  if (kind == kernels::Activation::Silu) return x / (1 + std::exp(-x));
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

/// 16 units for the exponential and its argument: silu is relative to its value (the error of exp(-x) grows
/// with |x|), gelu to x, since 1 + tanh cancels where x is negative. From about x = -88 down exp(-x) is
/// infinite in f32.
double activation_tolerance(kernels::Activation kind, double x, double value) {
  const double underflow =
      4 * std::abs(x) / static_cast<double>(std::numeric_limits<float>::max()) + 0x1p-126;
  if (kind == kernels::Activation::Silu) return (16 + 2 * std::abs(x)) * kUnit * std::abs(value) + underflow;
  return 16 * kUnit * (std::abs(x) + std::abs(value)) + underflow;
}

TEST_P(ActivationRows, AreNearDoubleArithmetic) {
  Rng rng(base_seed());
  for (std::size_t n : kLengths)
    for (float size : {1.0f, 1e-6f, 20.0f, 200.0f, 1e10f})
      for (bool with_up : {false, true}) {
        Guarded<float> gate = normal_values(n, size, rng), up = normal_values(n, 1, rng), out(n);
        row().run({out.data(), gate.data(), with_up ? up.data() : nullptr, n});
        EXPECT_TRUE(out.surroundings_intact());
        for (std::size_t i = 0; i < n; ++i) {
          const double x = static_cast<double>(gate[i]), factor = with_up ? static_cast<double>(up[i]) : 1;
          const double value = exact_activation(row().kind, x);
          ASSERT_NEAR(static_cast<double>(out[i]), value * factor,
                      activation_tolerance(row().kind, x, value) * std::abs(factor))
              << label() << ": n " << n << ", size " << size << ", element " << i << ", x " << x << ", seed "
              << base_seed();
        }
      }
}

TEST_P(ActivationRows, WorkInPlaceAndKeepNan) {
  Rng rng(base_seed());
  Guarded<float> gate = normal_values(37, 2, rng), up = normal_values(37, 2, rng), out(37);
  gate[5] = kNan, up[20] = kNan, gate[36] = kNan;
  row().run({out.data(), gate.data(), up.data(), 37});
  const std::vector<float> gate_before(gate.data(), gate.data() + 37);
  row().run({gate.data(), gate.data(), up.data(), 37});
  Guarded<float> gate_again(37);
  std::copy(gate_before.begin(), gate_before.end(), gate_again.data());
  row().run({up.data(), gate_again.data(), up.data(), 37});
  for (std::size_t i = 0; i < 37; ++i) {
    const bool nan = i == 5 || i == 20 || i == 36;
    EXPECT_EQ(std::isnan(out[i]), nan) << label() << ": element " << i;
    if (nan) continue;
    EXPECT_EQ(out[i], gate[i]) << label() << ": out is gate, element " << i;
    EXPECT_EQ(out[i], up[i]) << label() << ": out is up, element " << i;
  }
}

TEST_P(SoftmaxRows, AreNearDoubleArithmetic) {
  Rng rng(base_seed());
  for (std::size_t n : kLengths)
    for (float size : {1.0f, 0.0f, 30.0f, 1e4f}) {
      Guarded<float> x = normal_values(n, size, rng);
      const std::vector<double> before = as_double(x.data(), n);
      row().run({x.data(), n});
      EXPECT_TRUE(x.surroundings_intact());
      const double max = *std::max_element(before.begin(), before.end());
      double sum = 0;
      for (double value : before) sum += std::exp(value - max);
      for (std::size_t i = 0; i < n; ++i) {
        const double want = std::exp(before[i] - max) / sum;
        // The difference is rounded, and exp makes a relative error of an absolute one.
        const double units = 16 + 2 * std::sqrt(static_cast<double>(n)) + 2 * (max - before[i]);
        ASSERT_NEAR(static_cast<double>(x[i]), want, units * kUnit * want + 1e-37)
            << label() << ": n " << n << ", size " << size << ", element " << i << ", seed " << base_seed();
      }
    }
}

TEST_P(SoftmaxRows, MakeNanOfNan) {
  for (std::size_t at : {0u, 9u, 36u}) {
    std::vector<float> x(37, 1.0f);
    x[at] = kNan;
    row().run({x.data(), x.size()});
    for (float value : x) EXPECT_TRUE(std::isnan(value)) << label() << ": NaN at " << at;
  }
}

TEST_P(SoftmaxRows, GiveNoWeightToMinusInfinity) {
  std::vector<float> x(37, 2.0f);
  x[0] = x[20] = x[36] = -std::numeric_limits<float>::infinity();
  row().run({x.data(), x.size()});
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(static_cast<double>(x[i]), i == 0 || i == 20 || i == 36 ? 0.0 : 1.0 / 34, 1e-7) << label();
}

INSTANTIATE_TEST_SUITE_P(Table, NormRows,
                         testing::ValuesIn(kernels::norm_rows().begin(), kernels::norm_rows().end()),
                         test_name<kernels::NormRow>);
INSTANTIATE_TEST_SUITE_P(Table, RopeRows,
                         testing::ValuesIn(kernels::rope_rows().begin(), kernels::rope_rows().end()),
                         test_name<kernels::RopeRow>);
INSTANTIATE_TEST_SUITE_P(Table, ActivationRows,
                         testing::ValuesIn(kernels::activation_rows().begin(),
                                           kernels::activation_rows().end()),
                         test_name<kernels::ActivationRow>);
INSTANTIATE_TEST_SUITE_P(Table, SoftmaxRows,
                         testing::ValuesIn(kernels::softmax_rows().begin(), kernels::softmax_rows().end()),
                         test_name<kernels::SoftmaxRow>);

}  // namespace
}  // namespace armature::test
