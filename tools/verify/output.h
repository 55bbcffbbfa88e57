#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/verify/fault.h"

namespace armature::tools::verify {

/// Memory for the output of a kernel, [rows, cols], with marks in front, behind and between the rows: what is
/// written beside the output shows.
class Output {
 public:
  Output(std::size_t rows, std::size_t cols)
      : rows_(rows), cols_(cols), values_(2 * kMargin + rows * stride(), std::bit_cast<float>(kMark)) {}

  float* data() { return values_.data() + kMargin; }
  std::size_t stride() const { return cols_ + kGap; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  float at(std::size_t row, std::size_t col) const { return values_[kMargin + row * stride() + col]; }
  std::uint32_t bits(std::size_t row, std::size_t col) const {
    return std::bit_cast<std::uint32_t>(at(row, col));
  }

  Fault written_beside() const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::size_t row = (i - kMargin) / stride(), col = (i - kMargin) % stride();
      const bool is_output = i >= kMargin && row < rows_ && col < cols_;
      if (!is_output && std::bit_cast<std::uint32_t>(values_[i]) != kMark)
        return "writes to memory beside its output";
    }
    return {};
  }

 private:
  static constexpr std::size_t kMargin = 64, kGap = 3;
  static constexpr std::uint32_t kMark = 0x7fc5a5a5;  // a NaN that no computation gives

  std::size_t rows_, cols_;
  std::vector<float> values_;
};

}  // namespace armature::tools::verify
