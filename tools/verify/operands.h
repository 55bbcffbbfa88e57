#pragma once

#include <cstdint>
#include <vector>

#include "kernels/kernels.h"
#include "tools/random.h"

/// Random operands of products.
namespace armature::tools::verify {

enum class Fill : std::uint8_t {
  Random,
  AllOnes,   // every bit of the codes set, activations at both ends of their range in long runs
  SignBits,  // ... every byte 0x80: -128 in Q8_0
  Exact,     // small integers and powers of two, so that no sum is rounded
};
const char* name_of(Fill fill);

/// m rows of k activations in a form.
class Activations {
 public:
  /// Exact: integers up to `limit`, and 127 in each block, times a power of two.
  Activations(kernels::Form form, std::size_t m, std::size_t k, Fill fill, Random& random, int limit = 127);

  kernels::Operand operand(std::size_t first_row = 0) const;
  /// What the form holds, which is not always what went into it.
  double at(std::size_t row, std::size_t i) const;

 private:
  kernels::Form form_;
  std::size_t k_, block_;
  std::vector<float> values_;
  std::vector<std::int8_t> codes_;
  std::vector<float> steps_;
  std::vector<std::int16_t> sums_;
};

/// n rows of k weights in blocks, each row at any address.
class WeightRows {
 public:
  WeightRows(gguf::TensorType type, std::size_t n, std::size_t k, Fill fill, Random& random);

  const std::uint8_t* data() const { return bytes_.data(); }
  std::size_t stride() const { return stride_; }
  /// Row j as the scalar row decodes it.
  std::vector<float> decoded(std::size_t j) const;

 private:
  void set_scales(Fill fill, Random& random);

  gguf::TensorType type_;
  std::size_t n_, k_, stride_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace armature::tools::verify
