#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/kernels.h"

/// Operands for the rows that measure the machine, and whether such a row does what it counts.
namespace armature::kernels {

/// The operands that a PeakRow of this kind takes: see PeakArgs.
class PeakOperands {
 public:
  explicit PeakOperands(Arithmetic kind);

  PeakArgs args(std::size_t rounds) const { return {memory_->a, memory_->b, rounds}; }
  /// The sum that so many multiply-adds of them have.
  double sum(double multiply_adds) const;

 private:
  struct alignas(64) Memory {
    unsigned char a[kPeakOperandBytes], b[kPeakOperandBytes];
  };
  std::unique_ptr<Memory> memory_;
};

std::string_view name_of(Arithmetic kind);  // "int8", "bf16", "f32"

/// What is wrong with a row on this machine, which must have the features that it needs; nothing if its sum
/// is that of the multiply-adds that it counts.
std::optional<std::string> check_peak_row(const PeakRow& row);
/// The same of the exclusive or of a few KiB of numbers.
std::optional<std::string> check_read_row(const ReadRow& row);

}  // namespace armature::kernels
