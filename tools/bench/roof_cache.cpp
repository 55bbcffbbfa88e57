#include "tools/bench/roof_cache.h"

#include <algorithm>

#include "engine/linear.h"
#include "engine/machine.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "kernels/peak_check.h"
#include "tools/bench/measure.h"
#include "tools/cli/signals.h"
#include "tools/cli/units.h"
#include "tools/roof/machine_roofs.h"
#include "tools/roof/smaps.h"

namespace armature::tools::bench {
namespace {

using kernels::Arithmetic;
using roof::PageKind;

/// Of one thread and of all, the better: all can do what one can, if nothing else takes their cores' time.
template <class Entries, class Name>
Roof best_of(const roof::MachineRoofs& roofs, const Entries& entries,
             decltype(Entries::value_type::kind) kind, const Name& name) {
  Roof best;
  for (const auto& entry : entries) {
    if (entry.kind != kind) continue;
    if (!entry.roof) return {std::nullopt, entry.reason, name(entry)};
    if (!(best.value > entry.roof->best)) best = {entry.roof->best, {}, name(entry)};
    best.busy = roof::is_busy(roofs, entry);
  }
  return best;
}

Roof read_of(const roof::MachineRoofs& roofs, PageKind kind) {
  return best_of(roofs, roofs.reads, kind, [](const roof::ReadEntry& entry) {
    return entry.page_bytes == 0 ? "huge" : binary_size_text(entry.page_bytes);
  });
}

Roof peak_of(const roof::MachineRoofs& roofs, Arithmetic kind) {
  return best_of(roofs, roofs.peaks, kind, [](const roof::PeakEntry& entry) {
    const std::string arithmetic(name_of(entry.kind));
    return entry.roof ? compose("{} {}", arithmetic, entry.roof->row->name) : arithmetic;
  });
}

/// All with one reason.
TestRoofs without(const std::string& reason) {
  const Roof none{std::nullopt, reason, {}};
  return {none, none, none, none, none};
}

std::optional<TestRoofs> measure_in_short(const ThreadPlan& threads, cpu::Features features) {
  Team team(threads.n_threads, {threads.options});
  roof::RoofOptions options;
  const std::size_t n_threads = roof::count_threads(team);
  options.read_threads = options.peak_threads =
      n_threads == 1 ? std::vector{n_threads} : std::vector{std::size_t{1}, n_threads};
  options.features = features;
  options.pages = roof::page_sizes();
  options.buffer_bytes = roof::read_buffer_bytes(roof::BufferSize::Small, roof::last_level_cache_bytes(),
                                                 n_threads, available_memory(), options.pages.huge);
  options.read_passes = roof::kShortRead;
  options.peak_passes = roof::kShortPeak;
  const auto roofs = roof::measure_roofs(options, {team, steady_now, interrupted});
  if (!roofs) return std::nullopt;
  return TestRoofs{read_of(*roofs, PageKind::Base), read_of(*roofs, PageKind::Huge),
                   peak_of(*roofs, Arithmetic::Int8), peak_of(*roofs, Arithmetic::Bf16),
                   peak_of(*roofs, Arithmetic::F32)};
}

/// From the first byte of a file's tensors to the last.
std::span<const std::byte> tensor_bytes(const gguf::File& file) {
  const std::byte *begin = nullptr, *end = nullptr;
  for (const gguf::TensorInfo& tensor : file.tensors) {
    begin = begin == nullptr ? tensor.data : std::min(begin, tensor.data);
    end = std::max(end, tensor.data + tensor.size);
  }
  return {begin, end};
}

}  // namespace

const TestRoofs* RoofCache::find(const ThreadPlan& threads, cpu::Features features) {
  if (const auto found = measured_.find(key(threads)); found != measured_.end()) return &found->second;
  std::optional<TestRoofs> roofs;
  try {
    roofs = measure_in_short(threads, features);
  } catch (const Error& error) {
    roofs = without(error.what());
  }
  return roofs ? &measured_.emplace(key(threads), *roofs).first->second : nullptr;
}

PageKind weight_pages(const Model& model) {
  roof::Residence sum;
  for (const gguf::File& file : model.files().files()) {
    if (file.tensors.empty()) continue;
    const auto found = roof::residence(tensor_bytes(file)).value_or(roof::Residence());
    sum.resident += found.resident;
    sum.huge += found.huge;
  }
  return 2 * sum.huge > sum.resident ? PageKind::Huge : PageKind::Base;
}

Arithmetic weight_arithmetic(const Model& model, std::size_t pass_rows) {
  const Regime regime = pass_rows > kFewRows ? Regime::Many : Regime::Few;
  std::uint64_t int8 = 0, all = 0;
  for (const LayerWeights& layer : model.weights().layers) {
    for (const Matrix* matrix : layer.matrices()) {
      const std::uint64_t products = matrix->n * matrix->k;
      all += products;
      if (form_of(*matrix, regime) != kernels::Form::F32) int8 += products;
    }
  }
  // The form F32 is multiplied in f32; no row of the products uses bf16 instructions.
  return 2 * int8 > all ? Arithmetic::Int8 : Arithmetic::F32;
}

void set_roofs(const TestRoofs& roofs, const Model& model, std::size_t pass_rows, Details& details) {
  const bool huge = weight_pages(model) == PageKind::Huge;
  details.read_bandwidth = huge ? roofs.huge_pages : roofs.base_pages;
  details.read_bandwidth_other_pages = huge ? roofs.base_pages : roofs.huge_pages;
  details.peak_rate = weight_arithmetic(model, pass_rows) == Arithmetic::Int8 ? roofs.int8 : roofs.f32;
}

void set_no_roofs(const std::string& reason, Details& details) {
  for (Roof* roof : {&details.read_bandwidth, &details.read_bandwidth_other_pages, &details.peak_rate})
    *roof = {std::nullopt, reason, {}};
}

}  // namespace armature::tools::bench
