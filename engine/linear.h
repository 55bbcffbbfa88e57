#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

#include "engine/activations.h"
#include "engine/parallel.h"
#include "engine/weights.h"

namespace armature {

/// How the products of a pass are computed: by the kernels for few rows of activations, which read the
/// weights where they lie, or by those for many, which unpack panels. The results may differ in the last bits
/// (docs/numerics.md).
enum class Regime : std::uint8_t { Few, Many };

/// Up to this many rows the weights are read once for all of them and reading them is the cost.
inline constexpr std::size_t kFewRows = 4;

/// y[m, n] = x[m, k] * matrix[n, k]^T + bias.
struct Product {
  const Matrix* matrix;
  float* y;
  std::size_t y_stride;
};

kernels::Form form_of(const Matrix& matrix, Regime regime);
/// The forms that these matrices want their activations in.
FormSet forms_of(std::initializer_list<const Matrix*> matrices, Regime regime);

/// Bytes of panel memory that one thread needs for products with this matrix.
std::size_t panel_bytes(const Matrix& matrix);

/// One phase: all products of the same m rows of activations, cut into chunks of weight rows. `panels` is
/// memory of panel_bytes() for the calling thread, aligned to 64 bytes. Each element's sum is made by one
/// thread in an order that depends on k alone, so results depend neither on m nor on the number of threads.
void multiply(Team::Worker& worker, std::span<const Product> products, const Activations& x, std::size_t m,
              Regime regime, std::byte* panels) noexcept;

}  // namespace armature
