#include "tools/roof/machine_roofs.h"

#include <algorithm>
#include <bit>

#include "gguf/compose.h"
#include "kernels/peak_check.h"
#include "tools/cli/units.h"

namespace armature::tools::roof {
namespace {

using kernels::Arithmetic;

constexpr double kBusy = 0.7;

/// Why memory in such pages is not measured at all.
std::optional<std::string> refusal(PageKind kind, const RoofOptions& options) {
  const std::size_t page = options.pages.of(kind);
  if (page == 0) return options.pages.why_no_huge;
  constexpr std::size_t kFewest = 4;  // pages of which a buffer is made
  if (page <= options.buffer_bytes / kFewest) return std::nullopt;
  return compose("a page is too large for the {} that are read", binary_size_text(options.buffer_bytes));
}

/// False when it was interrupted.
bool add_reads(PageKind kind, const RoofOptions& options, const Tools& tools, MachineRoofs& out) {
  const std::size_t page = options.pages.of(kind);
  if (auto reason = refusal(kind, options)) {
    out.reads.push_back({kind, page, std::nullopt, std::move(*reason)});
    return true;
  }
  std::optional<ReadBuffer> buffer;
  for (const std::size_t n_threads : options.read_threads) {
    if (!buffer || options.has_nodes) {
      buffer.reset();  // the room of two is not there
      buffer.emplace(kind, options.pages, options.buffer_bytes,
                     options.has_nodes ? n_threads : options.read_threads.back(), tools.team);
    }
    if (auto fault = buffer->fault()) {
      out.reads.push_back({kind, page, std::nullopt, std::move(*fault)});
      return true;
    }
    const auto roof =
        measure_read(kernels::choose_read(options.features), *buffer, n_threads, options.read_passes, tools);
    if (!roof) return false;
    out.reads.push_back({kind, page, roof, {}});
  }
  return true;
}

/// False when it was interrupted.
bool add_peaks(Arithmetic kind, const RoofOptions& options, const Tools& tools, MachineRoofs& out) {
  const auto rows = peak_rows_of(kind, options.features);
  if (rows.empty()) {
    out.peaks.push_back({kind, std::nullopt, compose("no instruction for {} products", name_of(kind))});
    return true;
  }
  const auto fastest = fastest_peak(rows, options.peak_passes, tools);
  if (!fastest) return false;
  for (const std::size_t n_threads : options.peak_threads) {
    const auto found =
        n_threads == 1 ? fastest : measure_peak(*fastest->row, n_threads, options.peak_passes, tools);
    if (!found) return false;
    out.peaks.push_back({kind, found, {}});
  }
  return true;
}

template <class Entry>
const typename decltype(Entry::roof)::value_type* highest(const std::vector<Entry>& entries,
                                                          decltype(Entry::kind) kind) {
  const typename decltype(Entry::roof)::value_type* found = nullptr;
  for (const Entry& entry : entries)
    if (entry.kind == kind && entry.roof && (found == nullptr || entry.roof->best > found->best))
      found = &*entry.roof;
  return found;
}

template <class Entry>
bool is_busy_among(const std::vector<Entry>& entries, const Entry& entry) {
  if (!entry.roof) return false;
  const auto does_more_with_fewer = [&](const Entry& other) {
    return other.kind == entry.kind && other.roof && other.roof->n_threads < entry.roof->n_threads &&
           other.roof->best > entry.roof->best;
  };
  return entry.roof->median < kBusy * entry.roof->best ||
         std::any_of(entries.begin(), entries.end(), does_more_with_fewer);
}

}  // namespace

std::vector<std::size_t> roof_thread_counts(std::size_t n) {
  constexpr std::size_t kEach = 16, kStep = 8;
  std::vector<std::size_t> counts;
  for (std::size_t i = 1; i <= n; ++i)
    if (i <= kEach || std::has_single_bit(i) || i % kStep == 0 || i == n) counts.push_back(i);
  return counts;
}

std::optional<MachineRoofs> measure_roofs(const RoofOptions& options, const Tools& tools) {
  MachineRoofs out;
  out.read_kernel = kernels::choose_read(options.features).name;
  out.buffer_bytes = options.buffer_bytes;
  for (const Arithmetic kind : {Arithmetic::Int8, Arithmetic::Bf16, Arithmetic::F32})
    if (!add_peaks(kind, options, tools, out)) return std::nullopt;
  for (const PageKind kind : {PageKind::Base, PageKind::Huge})
    if (!add_reads(kind, options, tools, out)) return std::nullopt;
  return out;
}

const ReadRoof* find_read(const MachineRoofs& roofs, PageKind kind) { return highest(roofs.reads, kind); }

const PeakRoof* find_peak(const MachineRoofs& roofs, Arithmetic kind) { return highest(roofs.peaks, kind); }

bool is_busy(const MachineRoofs& roofs, const ReadEntry& entry) { return is_busy_among(roofs.reads, entry); }
bool is_busy(const MachineRoofs& roofs, const PeakEntry& entry) { return is_busy_among(roofs.peaks, entry); }

bool is_busy(const MachineRoofs& roofs) {
  const auto busy = [&](const auto& entry) { return is_busy(roofs, entry); };
  return std::any_of(roofs.reads.begin(), roofs.reads.end(), busy) ||
         std::any_of(roofs.peaks.begin(), roofs.peaks.end(), busy);
}

double balance(double multiply_adds_per_second, double bytes_per_second, double bytes_per_weight) {
  return multiply_adds_per_second * bytes_per_weight / bytes_per_second;
}

}  // namespace armature::tools::roof
