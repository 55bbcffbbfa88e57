#include "tools/roof/roof_report.h"

#include "tools/cli/units.h"

namespace armature::tools::roof {

std::string pages_of(const ReadEntry& entry) {
  return entry.page_bytes == 0 ? "huge" : binary_size_text(entry.page_bytes);
}

std::optional<double> tokens_read_bound(const MachineRoofs& roofs) {
  constexpr double kBytesPerWeight = 18.0 / 32;  // of Q4_0
  const ReadRoof* read = find_read(roofs, PageKind::Base);
  const PeakRoof* peak = find_peak(roofs, kernels::Arithmetic::Int8);
  if (read == nullptr || peak == nullptr) return std::nullopt;
  return balance(peak->best, read->best, kBytesPerWeight);
}

std::string to_text(const RoofReport& report, std::string_view format) {
  if (format == "json") return json_object(report);
  if (format == "jsonl") return json_lines(report);
  return format == "csv" ? csv(report) : markdown(report);
}

}  // namespace armature::tools::roof
