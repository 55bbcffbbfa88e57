#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/kernels/operands.h"
#include "tests/kernels/product.h"
#include "tests/kernels/row_test.h"
#include "tests/kernels/vectors.h"

/// The matrix products of vectors/quant, whose README defines the data and the tolerances.
namespace armature::test {
namespace {

using kernels::Form;
using nlohmann::json;

class ProductVectors : public RowTest<Product> {};

constexpr std::size_t kRows = 17, kColumns = 33, kZeroRow = 3;

struct Matrix {
  std::size_t k;
  std::vector<float> x;         // [17, k]
  std::vector<std::uint8_t> w;  // 33 rows
  std::size_t row_bytes;
  std::vector<double> y;         // [17, 33]
  std::vector<float> tolerance;  // [17, 33]
  double rms;                    // 0 for form F32
};

Matrix load(const json& index, const json& entry, std::span<const std::uint8_t> bytes, Form form) {
  Matrix matrix{};
  matrix.k = entry["k"];
  matrix.row_bytes = entry["row_bytes"];
  for (const json& x : index["activations"])
    if (x["k"] == matrix.k) matrix.x = elements<float>(bytes, x["offset"], kRows * matrix.k);
  matrix.w = elements<std::uint8_t>(bytes, entry["weights_offset"], kColumns * matrix.row_bytes);
  matrix.y = elements<double>(bytes, entry["y_offset"], kRows * kColumns);
  const std::string name = form == Form::F32 ? "f32" : form == Form::Q8_32 ? "q8_32" : "q8_256";
  matrix.tolerance = elements<float>(bytes, entry["tol_" + name + "_offset"], kRows * kColumns);
  if (form != Form::F32) matrix.rms = entry["rms_" + name];
  return matrix;
}

/// y of the first m rows and n columns, [m, n].
std::vector<float> product(const Product& row, const Matrix& matrix, std::size_t m, std::size_t n) {
  Rng rng(base_seed());
  Activations x(row.form, m, matrix.k, rng);
  x.round(matrix.x.data(), matrix.k);
  Weights w(row.weights, n, matrix.k, rng);
  for (std::size_t j = 0; j < n; ++j)
    std::copy_n(matrix.w.data() + j * matrix.row_bytes, matrix.row_bytes, w.row(j));
  std::vector<float> y(m * n);
  row.run({y.data(), n, x.operand(), w.row(0), w.stride(), m, n, matrix.k});
  return y;
}

/// Root mean square of the error over the rows of normal activations and weights.
double rms_error(const Matrix& matrix, const std::vector<float>& y) {
  double squares = 0;
  int count = 0;
  for (std::size_t i = 12; i < kRows; ++i)
    for (std::size_t j = 0; j < kColumns; ++j) {
      if (j == 3 || j == 10) continue;
      const double error = static_cast<double>(y[i * kColumns + j]) - matrix.y[i * kColumns + j];
      squares += error * error;
      ++count;
    }
  return std::sqrt(squares / count);
}

TEST_P(ProductVectors, AreWithinTheirTolerance) {
  const auto index_file = read_vectors("matmul.json");
  const auto bytes = read_vectors("matmul.bin");
  if (!index_file || !bytes) GTEST_SKIP() << "no " << kQuantVectors << "matmul.json and matmul.bin";
  const json index = json::parse(*index_file);
  int tested = 0;
  for (const json& entry : index["matrices"]) {
    if (entry["type"] != gguf::type_info(row().weights).name) continue;
    const Matrix matrix = load(index, entry, *bytes, row().form);
    ++tested;
    for (std::size_t m : {1u, 3u, 17u})
      for (std::size_t n : {1u, 5u, 16u, 33u}) {
        const std::vector<float> y = product(row(), matrix, m, n);
        for (std::size_t i = 0; i < y.size(); ++i) {
          const std::size_t at = i / n * kColumns + i % n;
          ASSERT_LE(std::abs(static_cast<double>(y[i]) - matrix.y[at]),
                    static_cast<double>(matrix.tolerance[at]))
              << label() << ": m " << m << ", n " << n << ", k " << matrix.k << ": row " << i / n
              << ", column " << i % n << ": " << y[i] << ", not " << matrix.y[at];
          if (i / n == kZeroRow) {
            ASSERT_EQ(y[i], 0.0f) << label() << ": the zero row, column " << i % n;
          }
        }
        if (m == kRows && n == kColumns && matrix.rms > 0) {
          EXPECT_LE(rms_error(matrix, y), 1.3 * matrix.rms) << label() << ": k " << matrix.k;
        }
      }
  }
  EXPECT_GT(tested, 0);
}

using enum gguf::TensorType;
INSTANTIATE_TEST_SUITE_P(Table, ProductVectors,
                         testing::ValuesIn(products_of({F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K,
                                                        Q4_K, Q5_K, Q6_K, IQ4_NL, IQ4_XS})),
                         test_name<Product>);

}  // namespace
}  // namespace armature::test
