#include "tests/kernels/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>

#include "tests/kernels/operands.h"
#include "tests/kernels/row_test.h"

namespace armature::test {
namespace {

using gguf::TensorType;
using kernels::Form;

class ProductRows : public RowTest<Product> {};

struct Shape {
  std::size_t m, n, k;
};

/// Shapes that crowd the edges of blocks and tiles; every k that fits the type and the form comes up.
std::vector<Shape> edge_shapes(const Product& row, Rng& rng) {
  const std::size_t step = row.form == Form::F32 ? 1 : row.form == Form::Q8_32 ? 32 : 256;
  const std::size_t block = std::max<std::size_t>(gguf::type_info(row.weights).block_size, step);
  const std::size_t tile = row.tile();
  std::vector<std::size_t> widths = {1, tile - 1, tile, tile + 1, 2 * tile + 3, 3, 17, 2, 5};
  std::erase(widths, 0u);
  std::vector<Shape> shapes;
  const auto add = [&](std::size_t k) {
    if (k % block == 0) shapes.push_back({1 + rng.below(20), widths[shapes.size() % widths.size()], k});
  };
  for (std::size_t k :
       {block, 2 * block, 3 * block, 5 * block, std::size_t{7}, std::size_t{33}, std::size_t{100},
        std::size_t{96}, std::size_t{160}, std::size_t{576}, std::size_t{896}, std::size_t{1536}})
    add(k);
  for (std::size_t m : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u}) shapes.push_back({m, tile + 1, block});
  return shapes;
}

/// The rows from `first` on and the columns from `left` on of the product, [m, n]; whatever else is written
/// is a failure.
std::vector<float> run(const Product& row, const Activations& x, const Weights& w, std::size_t first,
                       std::size_t m, std::size_t left, std::size_t n) {
  const std::size_t stride = n + (m + n) % 4;
  Guarded<float> y((m - 1) * stride + n);
  row.run({y.data(), stride, x.operand(first), w.row(left), w.stride(), m, n, x.k()});
  EXPECT_TRUE(y.surroundings_intact()) << "written outside the output";
  std::vector<float> result;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (i % stride < n)
      result.push_back(y[i]);
    else
      EXPECT_TRUE(y.untouched(i)) << "written between the rows of the output";
  }
  return result;
}

std::vector<float> run(const Product& row, const Activations& x, const Weights& w) {
  return run(row, x, w, 0, x.m(), 0, w.n());
}

std::string describe(const Shape& shape, std::uint64_t seed) {
  std::ostringstream text;
  text << "m " << shape.m << ", n " << shape.n << ", k " << shape.k << ", seed " << seed;
  return text.str();
}

/// The worst element against its tolerance; prints it when it is over.
void check_close(const std::vector<float>& got, const ExactProduct& want, std::size_t n, std::size_t k) {
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double share =
        std::abs(static_cast<double>(got[i]) - want.y[i]) / sum_tolerance(k, want.magnitude[i]);
    if (!(share <= worst)) worst = share, at = i;
    if (std::isnan(share)) break;
  }
  EXPECT_LE(worst, 1.0) << "worst at row " << at / n << ", column " << at % n << ": " << got[at] << ", not "
                        << want.y[at] << " (in units of the tolerance "
                        << sum_tolerance(k, want.magnitude[at]) << ")";
}

TEST_P(ProductRows, AreNearTheExactProduct) {
  constexpr WeightFill kWeightFills[] = {WeightFill::Random,     WeightFill::Random,    WeightFill::ZeroBits,
                                         WeightFill::OneBits,    WeightFill::SignBits,  WeightFill::Zero,
                                         WeightFill::TinyScales, WeightFill::HugeScales};
  Rng rng(base_seed());
  std::size_t turn = 0;
  for (const Shape& shape : edge_shapes(row(), rng))
    for (ActivationFill kind : {ActivationFill::Normal, ActivationFill::Extremes}) {
      SCOPED_TRACE(label() + ": " + describe(shape, base_seed()));
      Activations x(row().form, shape.m, shape.k, rng);
      Weights w(row().weights, shape.n, shape.k, rng);
      x.fill(kind, rng);
      w.fill(kWeightFills[turn++ % std::size(kWeightFills)], rng);
      check_close(run(row(), x, w), exact_product(x, w), shape.n, shape.k);
    }
}

/// Fills x with the largest exact activations for which every sum fits in 24 bits, and the product with it:
/// then nothing is rounded, whatever the order. False where there are none.
bool fill_exact(Activations& x, const Weights& w, Rng& rng, ExactProduct& want) {
  constexpr double kWeightUnit = 0.5, kStepUnit = 0.25;
  for (int limit = 127; limit > 0; limit /= 4) {
    x.fill(ActivationFill::Exact, rng, limit);
    want = exact_product(x, w);
    if (*std::max_element(want.magnitude.begin(), want.magnitude.end()) < 0x1p23 * kWeightUnit * kStepUnit)
      return true;
  }
  return false;
}

/// With powers of two as scales and steps, a wrong integer shows.
TEST_P(ProductRows, AreExactWhereNothingIsRounded) {
  Rng rng(base_seed() + 1);
  int tested = 0;
  for (const Shape& shape : edge_shapes(row(), rng)) {
    SCOPED_TRACE(label() + ": " + describe(shape, base_seed() + 1));
    Activations x(row().form, shape.m, shape.k, rng);
    Weights w(row().weights, shape.n, shape.k, rng);
    w.fill(WeightFill::Exact, rng);
    ExactProduct want;
    if (!fill_exact(x, w, rng, want)) continue;
    ++tested;
    const std::vector<float> got = run(row(), x, w);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(static_cast<double>(got[i]), want.y[i])
          << "row " << i / shape.n << ", column " << i % shape.n;
  }
  EXPECT_GE(tested, 10);
}

TEST_P(ProductRows, GiveTheSameBitsAloneAndInCompany) {
  Rng rng(base_seed() + 2);
  for (const Shape& shape : edge_shapes(row(), rng)) {
    SCOPED_TRACE(label() + ": " + describe(shape, base_seed() + 2));
    Activations x(row().form, shape.m, shape.k, rng);
    Weights w(row().weights, shape.n, shape.k, rng);
    x.fill(ActivationFill::Normal, rng);
    w.fill(WeightFill::Random, rng);
    const std::vector<float> all = run(row(), x, w);
    for (int trial = 0; trial < 6; ++trial) {
      const std::size_t first = rng.below(shape.m), left = rng.below(shape.n);
      const std::size_t m = 1 + rng.below(shape.m - first), n = 1 + rng.below(shape.n - left);
      const std::vector<float> part = run(row(), x, w, first, m, left, n);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const std::size_t at = (first + i / n) * shape.n + left + i % n;
        ASSERT_EQ(std::bit_cast<std::uint32_t>(part[i]), std::bit_cast<std::uint32_t>(all[at]))
            << "row " << at / shape.n << ", column " << at % shape.n << ", from a part of " << m << " x " << n
            << " at row " << first << ", column " << left << ": " << part[i] << ", not " << all[at];
      }
    }
  }
}

TEST_P(ProductRows, KeepNanInItsRow) {
  Rng rng(base_seed() + 3);
  const Shape shape{5, row().tile() + 1, 512};
  Activations x(row().form, shape.m, shape.k, rng);
  Weights w(row().weights, shape.n, shape.k, rng);
  x.fill(ActivationFill::Extremes, rng);
  w.fill(WeightFill::Random, rng);
  const std::vector<float> clean = run(row(), x, w);
  x.poison_row(2);
  const std::vector<float> got = run(row(), x, w);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (i / shape.n == 2)
      EXPECT_TRUE(std::isnan(got[i])) << label() << ": column " << i % shape.n;
    else
      EXPECT_EQ(got[i], clean[i]) << label() << ": row " << i / shape.n << ", column " << i % shape.n;
  }
}

TEST_P(ProductRows, GiveZerosForZeroActivations) {
  Rng rng(base_seed() + 4);
  Activations x(row().form, 3, 512, rng);
  Weights w(row().weights, row().tile() + 1, 512, rng);
  x.fill(ActivationFill::Normal, rng);  // its row 1 is zero
  w.fill(WeightFill::Random, rng);
  const std::vector<float> got = run(row(), x, w);
  for (std::size_t j = 0; j < w.n(); ++j) EXPECT_EQ(got[w.n() + j], 0.0f) << label() << ": column " << j;
}

/// A fast row is near the scalar row of its form: by no more than both may be away from the exact product.
TEST_P(ProductRows, AreNearTheScalarRowOfTheirForm) {
  const auto scalar = kernels::scalar_matmul(row().weights, row().form);
  const Product definition{scalar.needs, scalar.weights, scalar.form, "scalar", &scalar, nullptr};
  Rng rng(base_seed() + 5);
  for (const Shape& shape : edge_shapes(row(), rng)) {
    SCOPED_TRACE(label() + ": " + describe(shape, base_seed() + 5));
    Activations x(row().form, shape.m, shape.k, rng);
    Weights w(row().weights, shape.n, shape.k, rng);
    x.fill(ActivationFill::Normal, rng);
    w.fill(WeightFill::Random, rng);
    ExactProduct want = exact_product(x, w);
    const std::vector<float> defined = run(definition, x, w);
    std::copy(defined.begin(), defined.end(), want.y.begin());
    check_close(run(row(), x, w), want, shape.n, shape.k);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, ProductRows, testing::ValuesIn(products()), test_name<Product>);

TEST(ScalarPanels, AreBitEqualToTheScalarProduct) {
  Rng rng(base_seed() + 6);
  for (const Product& row : products()) {
    if (!row.panel || row.needs != cpu::kNone) continue;
    const auto scalar = kernels::choose_matmul(row.weights, cpu::kNone);
    const Product definition{scalar.needs, scalar.weights, scalar.form, "scalar", &scalar, nullptr};
    ASSERT_EQ(scalar.form, Form::F32);
    Activations x(Form::F32, 9, 768, rng);
    Weights w(row.weights, 2 * row.tile() + 1, 768, rng);
    x.fill(ActivationFill::Normal, rng);
    w.fill(WeightFill::Random, rng);
    EXPECT_EQ(run(row, x, w), run(definition, x, w)) << detail(row);
  }
}

}  // namespace
}  // namespace armature::test
