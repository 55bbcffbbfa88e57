#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace armature::test {

/// A matmul row or a panel row, so that both meet the same tests.
struct Product {
  cpu::Features needs;
  gguf::TensorType weights;
  kernels::Form form;
  std::string name;                  // of the ISA
  const kernels::MatmulRow* matmul;  // one of the two is null
  const kernels::PanelRow* panel;

  /// The weight rows that a panel holds, or 8 for a matmul row: its tile is its own business.
  std::size_t tile() const { return panel ? panel->n_tile : 8; }
  /// A panel row unpacks panel after panel, each in a guarded buffer.
  void run(const kernels::MatmulArgs& args) const;
};
std::string detail(const Product& product);  // e.g. "matmul_Q4_0_Q8_32"
void PrintTo(const Product& product, std::ostream* out);

/// All of both tables, or those of some weight types.
std::vector<Product> products();
std::vector<Product> products_of(std::initializer_list<gguf::TensorType> types);

}  // namespace armature::test
