#include "tools/roof/peak_roof.h"

#include <algorithm>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "kernels/peak_check.h"

namespace armature::tools::roof {
namespace {

// Long beside the moments in which not all threads are at work, short beside the time slices of a busy
// machine.
constexpr nanoseconds kPassTime{500'000};

/// Calls of the row that take about a pass's time.
std::size_t calls_in_a_pass(const kernels::PeakRow& row, const kernels::PeakOperands& operands,
                            const Clock& now) {
  row.run(operands.args(kernels::kMaxPeakRounds));  // wakes the core's wide units
  const nanoseconds start = now();
  row.run(operands.args(kernels::kMaxPeakRounds));
  const nanoseconds one = std::max(now() - start, nanoseconds(1));
  return std::clamp<std::size_t>(static_cast<std::size_t>(kPassTime / one), 1, 1 << 12);
}

/// The multiply-adds of so many calls.
double run_calls(const kernels::PeakRow& row, const kernels::PeakOperands& operands, std::size_t n_calls) {
  kernels::PeakResult sum{0, 0};
  for (std::size_t i = 0; i < n_calls; ++i) {
    const kernels::PeakResult result = row.run(operands.args(kernels::kMaxPeakRounds));
    sum.sum += result.sum;
    sum.multiply_adds += result.multiply_adds;
  }
  return sum.sum == operands.sum(sum.multiply_adds) ? sum.multiply_adds : 0;
}

}  // namespace

std::vector<const kernels::PeakRow*> peak_rows_of(kernels::Arithmetic kind, cpu::Features features) {
  std::vector<const kernels::PeakRow*> rows;
  for (const kernels::PeakRow& row : kernels::peak_rows())
    if (row.kind == kind && cpu::has(features, row.needs) && (row.needs != cpu::kNone || rows.empty()))
      rows.push_back(&row);
  return rows;
}

std::optional<PeakRoof> measure_peak(const kernels::PeakRow& row, std::size_t n_threads,
                                     const PassLimits& limits, const Tools& tools) {
  const kernels::PeakOperands operands(row.kind);
  const std::size_t n_calls = calls_in_a_pass(row, operands, tools.now);
  std::vector<double> done(n_threads);
  const auto run = [&](std::size_t index) { done[index] = run_calls(row, operands, n_calls); };
  const auto pass = [&] { return time_together(tools.team, n_threads, run, tools.now); };
  const auto timing = time_passes(pass, limits, tools.now, tools.stop);
  if (!timing) return std::nullopt;
  double multiply_adds = 0;
  for (const double part : done) {
    if (part == 0)
      throw Error(ErrorCode::bad_value, compose("the row peak {} {} of the kernels computes a wrong sum",
                                                row.name, name_of(row.kind)));
    multiply_adds += part;
  }
  return PeakRoof{&row, n_threads, rate(multiply_adds, timing->best), rate(multiply_adds, timing->median),
                  timing->passes};
}

std::optional<PeakRoof> fastest_peak(const std::vector<const kernels::PeakRow*>& rows,
                                     const PassLimits& limits, const Tools& tools) {
  std::optional<PeakRoof> fastest;
  for (const kernels::PeakRow* row : rows) {
    const auto found = measure_peak(*row, 1, limits, tools);
    if (!found) return std::nullopt;
    if (!fastest || found->best > fastest->best) fastest = found;
  }
  return fastest;
}

}  // namespace armature::tools::roof
