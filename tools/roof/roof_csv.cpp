#include "gguf/compose.h"
#include "kernels/peak_check.h"
#include "tools/cli/quoted_field.h"
#include "tools/cli/units.h"
#include "tools/roof/roof_report.h"

namespace armature::tools::roof {

std::string csv(const RoofReport& report) {
  std::string text = "roof,of,instruction,kernel,threads,best,median,unit,passes,busy,reason\n";
  const auto add = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += compose("{}{}", i == 0 ? "" : ",", quoted_field(cells[i], '"'));
    text += "\n";
  };
  const auto add_roof = [&](std::string roof, std::string of, std::string_view instruction,
                            std::string_view kernel, const auto& entry, double scale, std::string unit) {
    const auto& rates = *entry.roof;
    add({std::move(roof), std::move(of), std::string(instruction), std::string(kernel),
         compose("{}", rates.n_threads), fixed(scale * rates.best, 3), fixed(scale * rates.median, 3),
         std::move(unit), compose("{}", rates.passes), is_busy(report.roofs, entry) ? "true" : "false", ""});
  };
  for (const ReadEntry& entry : report.roofs.reads) {
    if (entry.roof) {
      add_roof("read", pages_of(entry), "", report.roofs.read_kernel, entry, 1 / kGiga, "GB/s");
    } else {
      add({"read", pages_of(entry), "", "", "", "", "", "", "", "", entry.reason});
    }
  }
  for (const PeakEntry& entry : report.roofs.peaks) {
    const std::string of(name_of(entry.kind));
    if (entry.roof) {
      add_roof("peak", of, entry.roof->row->instruction, entry.roof->row->name, entry, kOperations / kGiga,
               "GOP/s");
    } else {
      add({"peak", of, "", "", "", "", "", "", "", "", entry.reason});
    }
  }
  return text;
}

}  // namespace armature::tools::roof
