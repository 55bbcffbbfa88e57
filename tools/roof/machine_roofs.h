#pragma once

#include <string>
#include <vector>

#include "tools/roof/peak_roof.h"
#include "tools/roof/read_roof.h"

namespace armature::tools::roof {

/// 1 to 16, then powers of two and multiples of 8, and n itself.
std::vector<std::size_t> roof_thread_counts(std::size_t n);

/// What is measured.
struct RoofOptions {
  std::vector<std::size_t> read_threads, peak_threads;  // ascending; no more than count_threads()
  cpu::Features features = cpu::kNone;
  PageSizes pages;
  std::size_t buffer_bytes = 0;  // that is read
  bool has_nodes = false;        // NUMA: memory is written anew for each number of threads
  PassLimits read_passes, peak_passes;
};
/// Takes some tenths of a second for each number of threads.
inline constexpr PassLimits kThoroughRead = {16, 1000, nanoseconds(300'000'000)};
inline constexpr PassLimits kThoroughPeak = {16, 1000, nanoseconds(150'000'000)};
/// For a record of something else.
inline constexpr PassLimits kShortRead = {8, 200, nanoseconds(60'000'000)};
inline constexpr PassLimits kShortPeak = {8, 200, nanoseconds(20'000'000)};

struct ReadEntry {
  PageKind kind = PageKind::Base;
  std::size_t page_bytes = 0;    // 0: there are no such pages
  std::optional<ReadRoof> roof;  // or the reason why not
  std::string reason;
};
struct PeakEntry {
  kernels::Arithmetic kind = kernels::Arithmetic::Int8;
  std::optional<PeakRoof> roof;  // or the reason why not
  std::string reason;
};

/// What a machine can do at best.
struct MachineRoofs {
  std::string_view read_kernel;
  std::size_t buffer_bytes = 0;
  std::vector<ReadEntry> reads;  // by kind of page and threads; one entry for a kind that is not there
  std::vector<PeakEntry> peaks;  // by arithmetic and threads; one entry for one without an instruction
};
/// Nothing when it was interrupted. Throws Error out_of_memory, and bad_value if a kernel row is wrong.
std::optional<MachineRoofs> measure_roofs(const RoofOptions& options, const Tools& tools);

/// The highest of a kind; null if there is none with a rate.
const ReadRoof* find_read(const MachineRoofs& roofs, PageKind kind);
const PeakRoof* find_peak(const MachineRoofs& roofs, kernels::Arithmetic kind);

/// Whether something else took the cores' time when this entry was measured: the median is below 7/10 of the
/// best, or fewer threads did more.
bool is_busy(const MachineRoofs& roofs, const ReadEntry& entry);
bool is_busy(const MachineRoofs& roofs, const PeakEntry& entry);
bool is_busy(const MachineRoofs& roofs);  // when any was

/// Tokens in one pass up to which reading weights, of so many bytes each, takes longer than multiplying them.
double balance(double multiply_adds_per_second, double bytes_per_second, double bytes_per_weight);

}  // namespace armature::tools::roof
