#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/operations.h"
#include "kernels/kernels.h"

namespace armature {

/// A set of operand forms.
class FormSet {
 public:
  void add(kernels::Form form) { bits_ |= bit(form); }
  bool has(kernels::Form form) const { return (bits_ & bit(form)) != 0; }

 private:
  static unsigned bit(kernels::Form form) { return 1u << static_cast<unsigned>(form); }
  unsigned bits_ = 0;
};

/// The left side of matrix products: rows of f32 values and, where products ask for it, the same rows rounded
/// to int8. The memory belongs to the scratch; rows may be filled by different threads.
class Activations {
 public:
  /// Bytes of memory for rows of up to max_k values each, all forms.
  static std::size_t bytes(std::size_t max_rows, std::size_t max_k);
  Activations() = default;
  Activations(std::byte* memory, std::size_t max_rows, std::size_t max_k);

  /// The f32 values of a row, to be written by the caller before round().
  float* row(std::size_t i) const { return values_ + i * max_k_; }
  /// Rounds a row of k values to the forms in the set.
  void round(std::size_t i, std::size_t k, FormSet forms, const Operations& ops) const noexcept;
  /// Rows from `first` on, as a kernel takes them.
  kernels::Operand operand(kernels::Form form, std::size_t first = 0) const noexcept;

 private:
  struct Rounded {
    std::int8_t* codes = nullptr;
    float* steps = nullptr;
    std::int16_t* sums = nullptr;
    std::size_t steps_stride = 0;
  };
  void round_to(const Rounded& to, const kernels::RoundRow& row, std::size_t i, std::size_t k) const noexcept;

  std::size_t max_k_ = 0;
  float* values_ = nullptr;
  Rounded q8_32_, q8_256_;
};

}  // namespace armature
