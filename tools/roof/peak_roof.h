#pragma once

#include <optional>
#include <vector>

#include "kernels/kernels.h"
#include "tools/roof/read_roof.h"

namespace armature::tools::roof {

/// Multiply-adds a second of all threads together.
struct PeakRoof {
  const kernels::PeakRow* row = nullptr;
  std::size_t n_threads = 1;
  double best = 0, median = 0;
  std::size_t passes = 0;
};

/// The rows of a kind that these features allow, but for a scalar one where there is another.
std::vector<const kernels::PeakRow*> peak_rows_of(kernels::Arithmetic kind, cpu::Features features);

/// Every thread runs the row for about a pass's time. Nothing when it was interrupted. Throws Error bad_value
/// when a sum is not that of the multiply-adds counted.
std::optional<PeakRoof> measure_peak(const kernels::PeakRow& row, std::size_t n_threads,
                                     const PassLimits& limits, const Tools& tools);

/// The row that is fastest on one thread; `rows` is not empty.
std::optional<PeakRoof> fastest_peak(const std::vector<const kernels::PeakRow*>& rows,
                                     const PassLimits& limits, const Tools& tools);

}  // namespace armature::tools::roof
