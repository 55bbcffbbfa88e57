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

const ReadRoof* find_read(const MachineRoofs& roofs, PageKind kind) {
  const ReadRoof* found = nullptr;
  for (const ReadEntry& entry : roofs.reads)
    if (entry.kind == kind && entry.roof && (found == nullptr || entry.roof->n_threads > found->n_threads))
      found = &*entry.roof;
  return found;
}

const PeakRoof* find_peak(const MachineRoofs& roofs, kernels::Arithmetic kind) {
  const PeakRoof* found = nullptr;
  for (const PeakEntry& entry : roofs.peaks)
    if (entry.kind == kind && entry.roof && (found == nullptr || entry.roof->n_threads > found->n_threads))
      found = &*entry.roof;
  return found;
}

bool is_busy(const ReadRoof& roof) { return roof.median < kBusy * roof.best; }
bool is_busy(const PeakRoof& roof) { return roof.median < kBusy * roof.best; }

bool is_busy(const MachineRoofs& roofs) {
  const auto is_uneven = [](const auto& entry) { return entry.roof && is_busy(*entry.roof); };
  return std::any_of(roofs.reads.begin(), roofs.reads.end(), is_uneven) ||
         std::any_of(roofs.peaks.begin(), roofs.peaks.end(), is_uneven);
}

double balance(double multiply_adds_per_second, double bytes_per_second, double bytes_per_weight) {
  return multiply_adds_per_second * bytes_per_weight / bytes_per_second;
}

}  // namespace armature::tools::roof
