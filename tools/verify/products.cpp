#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "gguf/compose.h"
#include "tools/verify/operands.h"
#include "tools/verify/output.h"
#include "tools/verify/rows.h"

namespace armature::tools::verify {
namespace {

using kernels::Form;
using kernels::MatmulArgs;

constexpr std::uint64_t kSeed = 1;

/// A matmul row, or a panel row with its panels.
struct Product {
  gguf::TensorType weights;
  Form form;
  std::size_t tile;  // weight rows that it takes at a time
  std::function<void(const MatmulArgs&)> run;
};

struct Shape {
  std::size_t m, n, k;
};

/// Edges of tiles in m and n, and every kind of k that the type and the form allow.
std::vector<Shape> shapes_of(const Product& product) {
  const std::size_t step = product.form == Form::F32 ? 1 : product.form == Form::Q8_32 ? 32 : 256;
  const std::size_t block = std::max<std::size_t>(gguf::type_info(product.weights).block_size, step);
  const std::size_t tile = product.tile;
  std::vector<Shape> shapes;
  const std::size_t rows[] = {1, 2, 3, 4, 5, 8, 9, 13};
  const std::size_t columns[] = {1, tile + 1, tile, 2 * tile + 3, 3};
  for (const std::size_t k : {block, 3 * block, std::size_t{7}, std::size_t{33}, std::size_t{96},
                              std::size_t{160}, std::size_t{576}, std::size_t{896}, std::size_t{1536}})
    if (k % block == 0)
      shapes.push_back(
          {rows[shapes.size() % std::size(rows)], columns[shapes.size() % std::size(columns)], k});
  for (const std::size_t m : rows) shapes.push_back({m, tile + 1, 2 * block});
  return shapes;
}

/// The product in double, and the size of what was added up: sum of |x w|.
struct Expected {
  std::vector<double> y, size;  // [m, n]
};

Expected expect(const Activations& x, const WeightRows& w, const Shape& shape) {
  Expected want{std::vector<double>(shape.m * shape.n), std::vector<double>(shape.m * shape.n)};
  for (std::size_t j = 0; j < shape.n; ++j) {
    const std::vector<float> weights = w.decoded(j);
    for (std::size_t row = 0; row < shape.m; ++row)
      for (std::size_t i = 0; i < shape.k; ++i) {
        const double product = x.at(row, i) * static_cast<double>(weights[i]);
        want.y[row * shape.n + j] += product;
        want.size[row * shape.n + j] += std::abs(product);
      }
  }
  return want;
}

/// What the roundings of f32 sums of k products of this size may come to, with room for parts that cancel
/// (scale times code and minimum); a wrong code or scale is far more.
double tolerance(std::size_t k, double size) {
  return 64 * std::sqrt(2 * static_cast<double>(k)) * 0x1p-24 * size + 1e-30;
}

Fault compare(const Output& y, const Expected& want, std::size_t k, bool exact) {
  for (std::size_t row = 0; row < y.rows(); ++row)
    for (std::size_t col = 0; col < y.cols(); ++col) {
      const double got = static_cast<double>(y.at(row, col)), wanted = want.y[row * y.cols() + col];
      const double allowed = exact ? 0 : tolerance(k, want.size[row * y.cols() + col]);
      if (!(std::abs(got - wanted) <= allowed))
        return compose("row {}, column {} is {}, not {}", row, col, got, wanted);
    }
  return {};
}

/// The last row alone gives the bits that it has among others.
Fault compare_alone(const Product& product, const Activations& x, const WeightRows& w, const Shape& shape,
                    const Output& all) {
  Output alone(1, shape.n);
  product.run(
      {alone.data(), alone.stride(), x.operand(shape.m - 1), w.data(), w.stride(), 1, shape.n, shape.k});
  for (std::size_t col = 0; col < shape.n; ++col)
    if (alone.bits(0, col) != all.bits(shape.m - 1, col))
      return compose("column {} of the last row is {} by itself and {} among others", col, alone.at(0, col),
                     all.at(shape.m - 1, col));
  return {};
}

Fault fault_with(const Product& product, const Shape& shape, const Activations& x, const WeightRows& w,
                 const Expected& want, bool exact) {
  Output y(shape.m, shape.n);
  product.run({y.data(), y.stride(), x.operand(), w.data(), w.stride(), shape.m, shape.n, shape.k});
  if (auto fault = y.written_beside()) return fault;
  if (auto fault = compare(y, want, shape.k, exact)) return fault;
  return compare_alone(product, x, w, shape, y);
}

/// Numbers that no order of adding rounds: every sum, in units of 1, is far below 2^24. Where even the
/// smallest activations would not do, there is nothing to find.
Fault exact_fault(const Product& product, const Shape& shape, Random& random) {
  const WeightRows w(product.weights, shape.n, shape.k, Fill::Exact, random);
  for (const int limit : {127, 31, 7, 1}) {
    const Activations x(product.form, shape.m, shape.k, Fill::Exact, random, limit);
    const Expected want = expect(x, w, shape);
    if (*std::max_element(want.size.begin(), want.size.end()) < 0x1p21)
      return fault_with(product, shape, x, w, want, true);
  }
  return {};
}

Fault fault_of_shape(const Product& product, const Shape& shape, Fill fill, Random& random) {
  if (fill == Fill::Exact) return exact_fault(product, shape, random);
  const WeightRows w(product.weights, shape.n, shape.k, fill, random);
  const Activations x(product.form, shape.m, shape.k, fill, random);
  return fault_with(product, shape, x, w, expect(x, w, shape), false);
}

Fault fault_of_product(const Product& product) {
  Random random(kSeed);
  for (const Shape& shape : shapes_of(product))
    for (const Fill fill : {Fill::Random, Fill::Exact, Fill::AllOnes, Fill::SignBits})
      if (const auto fault = fault_of_shape(product, shape, fill, random))
        return compose("m {}, n {}, k {}, {}: {}", shape.m, shape.n, shape.k, name_of(fill), *fault);
  return {};
}

void run_panels(const kernels::PanelRow& row, const MatmulArgs& a) {
  constexpr std::size_t kAlignment = 64;
  std::vector<std::uint8_t> memory(row.bytes(a.k) + kAlignment);
  std::uint8_t* panel =
      memory.data() + (kAlignment - reinterpret_cast<std::uintptr_t>(memory.data()) % kAlignment);
  for (std::size_t first = 0; first < a.n; first += row.n_tile) {
    const std::size_t n = std::min(row.n_tile, a.n - first);
    row.unpack({panel, a.w + first * a.w_stride, a.w_stride, n, a.k});
    row.run({a.y + first, a.y_stride, a.x, panel, a.m, n, a.k});
  }
}

}  // namespace

Fault fault_of(const kernels::MatmulRow& row) {
  constexpr std::size_t kTile = 8;  // its tile is its own business
  return fault_of_product({row.weights, row.form, kTile, [&](const MatmulArgs& args) { row.run(args); }});
}

Fault fault_of(const kernels::PanelRow& row) {
  return fault_of_product(
      {row.weights, row.form, row.n_tile, [&](const MatmulArgs& args) { run_panels(row, args); }});
}

}  // namespace armature::tools::verify
