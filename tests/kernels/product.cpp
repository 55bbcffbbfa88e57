#include "tests/kernels/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "tests/kernels/row_test.h"
#include "tests/support/guarded.h"

namespace armature::test {
namespace {

void run_panels(const kernels::PanelRow& row, const kernels::MatmulArgs& a) {
  constexpr std::size_t kAlignment = 64;
  const std::size_t bytes = row.bytes(a.k), rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  for (std::size_t first = 0; first < a.n; first += row.n_tile) {
    const std::size_t count = std::min(row.n_tile, a.n - first);
    Guarded<std::uint8_t> panel(rounded);
    row.unpack({panel.data(), a.w + first * a.w_stride, a.w_stride, count, a.k});
    for (std::size_t i = bytes; i < rounded; ++i) EXPECT_TRUE(panel.untouched(i)) << "behind the panel";
    EXPECT_TRUE(panel.surroundings_intact()) << "before the panel";
    row.run({a.y + first, a.y_stride, a.x, panel.data(), a.m, count, a.k});
  }
}

}  // namespace

void Product::run(const kernels::MatmulArgs& args) const {
  if (matmul)
    matmul->run(args);
  else
    run_panels(*panel, args);
}

std::string detail(const Product& product) {
  return std::string(product.matmul ? "matmul_" : "panel_") +
         std::string(gguf::type_info(product.weights).name) + "_" + name_of(product.form);
}

void PrintTo(const Product& product, std::ostream* out) { *out << product.name << " " << detail(product); }

std::vector<Product> products() {
  std::vector<Product> all;
  for (const kernels::MatmulRow& row : kernels::matmul_rows())
    all.push_back({row.needs, row.weights, row.form, std::string(row.name), &row, nullptr});
  for (const kernels::PanelRow& row : kernels::panel_rows())
    all.push_back({row.needs, row.weights, row.form, std::string(row.name), nullptr, &row});
  return all;
}

std::vector<Product> products_of(std::initializer_list<gguf::TensorType> types) {
  std::vector<Product> some = products();
  std::erase_if(some, [=](const Product& product) {
    return std::find(types.begin(), types.end(), product.weights) == types.end();
  });
  return some;
}

}  // namespace armature::test
