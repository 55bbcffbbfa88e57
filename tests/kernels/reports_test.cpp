#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/kernels/operands.h"
#include "tests/kernels/product.h"
#include "tests/kernels/row_test.h"

/// Products that users of inference engines have seen go wrong, with blocks written by hand.
namespace armature::test {
namespace {

using gguf::TensorType;

class ReportTest : public RowTest<Product> {
 protected:
  /// y[m, n] for activations that are all rows of x.
  std::vector<float> multiply(const std::vector<float>& x, const Weights& w, std::size_t m) {
    Rng rng(base_seed());
    Activations activations(row().form, m, x.size(), rng);
    activations.round(x.data(), 0);
    std::vector<float> y(m * w.n());
    row().run({y.data(), w.n(), activations.operand(), w.row(0), w.stride(), m, w.n(), x.size()});
    return y;
  }
};

class LargestBlocks : public ReportTest {};
class OddWidths : public ReportTest {};
class Bf16 : public ReportTest {};

void put_f16(std::uint8_t* p, unsigned bits) {
  p[0] = static_cast<std::uint8_t>(bits & 0xff);
  p[1] = static_cast<std::uint8_t>(bits >> 8);
}
constexpr unsigned kHalfOne = 0x3c00, kHalfQuarter = 0x3400, kHalf64th = 0x2400;

/// A block of 256 whose every code and scale is the largest, with d = 1 and no minimum.
void put_largest_block(TensorType type, std::uint8_t* block) {
  const std::size_t bytes = gguf::type_info(type).block_bytes;
  std::fill(block, block + bytes, std::uint8_t{0xff});
  if (type == TensorType::Q6_K) {
    std::fill(block + 192, block + 208, std::uint8_t{127});
    put_f16(block + 208, kHalfOne);
    return;
  }
  put_f16(block, kHalfOne);
  put_f16(block + 2, 0);
  // Scales of 63 and minima of 0: a = 0xff, b = 0, c = 0x0f.
  std::fill(block + 4, block + 8, std::uint8_t{0xff});
  std::fill(block + 8, block + 12, std::uint8_t{0});
  std::fill(block + 12, block + 16, std::uint8_t{0x0f});
}

TEST_P(LargestBlocks, GiveTheirSum) {
  const double want = row().weights == TensorType::Q4_K   ? 30723840
                      : row().weights == TensorType::Q5_K ? 63495936
                                                          : 127999744;
  Rng rng(base_seed());
  Weights w(row().weights, 5, 256, rng);
  w.fill(WeightFill::Zero, rng);
  put_largest_block(row().weights, w.row(0));
  for (std::size_t m : {1u, 40u}) {
    const std::vector<float> y = multiply(std::vector<float>(256, 127.0f), w, m);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (i % w.n() == 0)
        EXPECT_NEAR(static_cast<double>(y[i]), want, 1e-3 * want) << label() << ": m " << m;
      else
        EXPECT_EQ(y[i], 0.0f) << label() << ": m " << m;
    }
  }
}

struct WidthCase {
  std::size_t k;
  double q8_0[4], q8_0_tolerance, q4_0[4], q4_0_tolerance;
};
constexpr WidthCase kWidths[] = {
    {96, {-954.359375, -607.34375, -13.296875, 827.78125}, 6.3, {-1198, -1170, -750, -970}, 6.4},
    {160, {-913.78125, -1178.109375, -605.71875, -85.125}, 10.8, {-2068, -2291.5, -1523, -1482.5}, 10.5},
    {576, {-1286.3125, -791.375, 432.703125, 824.046875}, 37.6, {-7209, -6556.75, -5076.5, -4388.25}, 38},
};

void put_row(TensorType type, std::uint8_t* row, std::size_t j, std::size_t n_weights) {
  for (std::size_t k = 0; k < n_weights; ++k) {
    std::uint8_t* block = row + k / 32 * gguf::type_info(type).block_bytes;
    const std::size_t i = k % 32;
    if (type == TensorType::Q8_0) {
      put_f16(block, kHalf64th);
      block[2 + i] = static_cast<std::uint8_t>(static_cast<int>((31 * j + 7 * k) % 255) - 127);
    } else {
      put_f16(block, kHalfQuarter);
      const std::size_t nibble = (3 * j + 5 * k) % 16;
      std::uint8_t& byte = block[2 + i % 16];
      byte = static_cast<std::uint8_t>(i < 16 ? nibble : byte | nibble << 4);
    }
  }
}

TEST_P(OddWidths, AreTakenWhole) {
  const bool q8_0 = row().weights == TensorType::Q8_0;
  Rng rng(base_seed());
  for (const WidthCase& c : kWidths) {
    const double* want = q8_0 ? c.q8_0 : c.q4_0;
    Weights w(row().weights, 4, c.k, rng);
    for (std::size_t j = 0; j < 4; ++j) put_row(row().weights, w.row(j), j, c.k);
    std::vector<float> x(c.k);
    for (std::size_t k = 0; k < c.k; ++k)
      x[k] = k % 32 == 0 ? 127.0f : static_cast<float>((37 * k) % 127 + 1);
    for (std::size_t m : {1u, 40u}) {
      const std::vector<float> y = multiply(x, w, m);
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(static_cast<double>(y[i]), want[i % 4], q8_0 ? c.q8_0_tolerance : c.q4_0_tolerance)
            << label() << ": k " << c.k << ", m " << m << ", column " << i % 4;
    }
  }
}

/// Large values stay finite and denormals are not flushed.
TEST_P(Bf16, IsTakenAsItIs) {
  Rng rng(base_seed());
  Weights w(row().weights, 3, 256, rng);
  const std::uint16_t bits[] = {0x47c0, 0x0001, 0x8000};
  for (std::size_t j = 0; j < 3; ++j)
    for (std::size_t k = 0; k < 256; ++k) put_f16(w.row(j) + 2 * k, bits[j]);
  for (std::size_t m : {1u, 40u}) {
    const std::vector<float> y = multiply(std::vector<float>(256, 127.0f), w, m);
    for (std::size_t i = 0; i < m; ++i) {
      EXPECT_NEAR(static_cast<double>(y[3 * i]), 3196059648.0, 3196059.0) << label() << ": m " << m;
      EXPECT_NEAR(static_cast<double>(y[3 * i + 1]), 2.99e-36, 0.01e-36) << label() << ": m " << m;
      EXPECT_EQ(y[3 * i + 2], 0.0f) << label() << ": m " << m;
    }
  }
}

using enum TensorType;
INSTANTIATE_TEST_SUITE_P(Table, LargestBlocks, testing::ValuesIn(products_of({Q4_K, Q5_K, Q6_K})),
                         test_name<Product>);
INSTANTIATE_TEST_SUITE_P(Table, OddWidths, testing::ValuesIn(products_of({Q8_0, Q4_0})), test_name<Product>);
INSTANTIATE_TEST_SUITE_P(Table, Bf16, testing::ValuesIn(products_of({BF16})), test_name<Product>);

}  // namespace
}  // namespace armature::test
