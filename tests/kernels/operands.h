#pragma once

#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "tests/support/guarded.h"
#include "tests/support/random.h"

/// Random activations and weights in buffers that end at guard pages, with strides of their own.
namespace armature::test {

enum class ActivationFill {
  Normal,    // values of size 1; one row of zeros among several
  Extremes,  // codes of -127 and 127 in long runs; steps of sizes 1e-30 to 1e3 by row
  Exact,     // codes up to a limit, steps that are powers of two
};

class Activations {
 public:
  Activations(kernels::Form form, std::size_t m, std::size_t k, Rng& rng);

  void fill(ActivationFill kind, Rng& rng, int limit = 127);
  /// Rounds rows of plain floats to the form, with the scalar row.
  void round(const float* x, std::size_t x_stride);

  /// Rows from `first` on.
  kernels::Operand operand(std::size_t first = 0) const;
  double value(std::size_t row, std::size_t i) const;
  std::size_t m() const { return m_; }
  std::size_t k() const { return k_; }
  /// Makes a row NaN as rounding would.
  void poison_row(std::size_t row);

 private:
  void set_block(std::size_t row, std::size_t block, float step, const std::vector<int>& codes);

  kernels::Form form_;
  std::size_t m_, k_, block_;
  std::size_t values_stride_, codes_stride_, steps_stride_, sums_stride_;
  Guarded<float> values_;
  Guarded<std::int8_t> codes_;
  Guarded<float> steps_;
  Guarded<std::int16_t> sums_;
};

enum class WeightFill {
  Random,      // random bits with scales of size 0.01 to 0.1, some negative
  ZeroBits,    // every code and sub-block scale all zeros: the lowest codes of Q4_0, Q3_K, ...
  OneBits,     // ... all ones: the largest scales and codes
  SignBits,    // every byte 0x80: -128 in Q8_0
  Zero,        // blocks of zeros
  TinyScales,  // denormal f16 scales
  HugeScales,  // f16 scales near 65504
  Exact,       // scales that are powers of two
};

class Weights {
 public:
  Weights(gguf::TensorType type, std::size_t n, std::size_t k, Rng& rng);

  void fill(WeightFill kind, Rng& rng);
  const std::uint8_t* row(std::size_t j) const { return bytes_.data() + j * stride_; }
  std::uint8_t* row(std::size_t j) { return bytes_.data() + j * stride_; }
  std::size_t stride() const { return stride_; }
  gguf::TensorType type() const { return type_; }
  std::size_t n() const { return n_; }
  std::size_t k() const { return k_; }

 private:
  void fill_plain(std::uint8_t* row, WeightFill kind, Rng& rng);
  void fill_block(std::uint8_t* block, WeightFill kind, Rng& rng);

  gguf::TensorType type_;
  std::size_t n_, k_, stride_;
  Guarded<std::uint8_t> bytes_;
};

/// y = x w^T in double, and for each element the size of the numbers that went into it:
/// sum over k of |x| (|scale * code| + |offset|).
struct ExactProduct {
  std::vector<double> y, magnitude;  // [m, n]
};
ExactProduct exact_product(const Activations& x, const Weights& w);

/// 2^-24, half a unit in the last place of f32 at 1.
inline constexpr double kUnit = 0x1p-24;
/// Allowed error of a float sum of 2k numbers of total size `magnitude`: the probabilistic bound for the
/// roundings of weights, products and sums, with room for a plain left-to-right sum; and for denormal
/// products.
double sum_tolerance(std::size_t k, double magnitude);

}  // namespace armature::test
