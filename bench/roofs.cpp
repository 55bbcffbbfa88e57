#include <vector>

#include "bench/rows.h"
#include "engine/machine.h"
#include "kernels/peak_check.h"
#include "tools/bench/measure.h"
#include "tools/roof/machine_roofs.h"

namespace armature::bench {
namespace {

using kernels::Arithmetic;
namespace roof = tools::roof;

/// With one thread; measured when they are first asked for.
const roof::MachineRoofs& machine_roofs() {
  static const roof::MachineRoofs roofs = [] {
    Team team(1);
    roof::RoofOptions options;
    options.read_threads = options.peak_threads = {1};
    options.features = cpu::detect();
    options.pages = roof::page_sizes();
    options.buffer_bytes = roof::read_buffer_bytes(roof::BufferSize::Small, roof::last_level_cache_bytes(), 1,
                                                   available_memory(), options.pages.huge);
    options.read_passes = roof::kThoroughRead;
    options.peak_passes = roof::kThoroughPeak;
    return *roof::measure_roofs(options, {team, tools::bench::steady_now, [] { return false; }});
  }();
  return roofs;
}

void run_peak(benchmark::State& state, const kernels::PeakRow& row) {
  const kernels::PeakOperands operands(row.kind);
  const kernels::PeakArgs args = operands.args(kernels::kMaxPeakRounds);
  repeat(state, {.multiply_adds = row.run(args).multiply_adds, .arithmetic = row.kind},
         [&] { benchmark::DoNotOptimize(row.run(args)); });
}

void run_read(benchmark::State& state, const kernels::ReadRow& row) {
  constexpr std::size_t kWords = (256u << 20) / sizeof(std::uint64_t);
  const std::vector<std::uint64_t> words(kWords + 8, 1);  // with room for the alignment
  const std::size_t past = reinterpret_cast<std::uintptr_t>(words.data()) % 64;
  const std::uint64_t* aligned = words.data() + (64 - past) % 64 / sizeof(std::uint64_t);
  repeat(state, {.bytes = static_cast<double>(kWords * sizeof(std::uint64_t)), .from_memory = true}, [&] {
    benchmark::DoNotOptimize(row.run({aligned, kWords}));
  });
}

}  // namespace

void tell(benchmark::State& state, const WorkDone& work, double seconds) {
  const auto n = static_cast<double>(state.iterations());
  const double bytes = n * work.bytes / seconds, multiply_adds = n * work.multiply_adds / seconds;
  if (bytes > 0) state.counters["GB/s"] = bytes * 1e-9;
  if (multiply_adds > 0) state.counters["GOP/s"] = 2e-9 * multiply_adds;
  // Ordinary pages: there the memory lies, unless the system always gives huge ones.
  const auto* read = work.from_memory ? roof::find_read(machine_roofs(), roof::PageKind::Base) : nullptr;
  if (read != nullptr) state.counters["of_read_roof"] = bytes / read->best;
  const auto* peak = work.arithmetic ? roof::find_peak(machine_roofs(), *work.arithmetic) : nullptr;
  if (peak != nullptr) state.counters["of_peak"] = multiply_adds / peak->best;
}

void register_roofs() {
  for (const kernels::PeakRow& row : kernels::peak_rows())
    register_row(row, "peak", std::string(kernels::name_of(row.kind)), run_peak);
  for (const kernels::ReadRow& row : kernels::read_rows()) register_row(row, "read", "", run_read);
}

}  // namespace armature::bench
