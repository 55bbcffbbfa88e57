#include <algorithm>
#include <cmath>

#include "gguf/compose.h"
#include "kernels/peak_check.h"
#include "tools/cli/units.h"
#include "tools/roof/roof_report.h"

namespace armature::tools::roof {
namespace {

using Cells = std::vector<std::string>;

/// A table of Markdown; columns from `first_number` on end at the right.
std::string table(const std::vector<Cells>& lines, std::size_t first_number) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const Cells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  std::string text;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    std::string rule = "|";
    text += "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string space(widths[i] - lines[line][i].size(), ' ');
      const bool right = i >= first_number;
      text += right ? compose(" {}{} |", space, lines[line][i]) : compose(" {}{} |", lines[line][i], space);
      rule += compose(" {}{} |", std::string(widths[i] - 1, '-'), right ? ":" : "-");
    }
    text += "\n";
    if (line == 0) text += rule + "\n";
  }
  return text;
}

/// The reasons of entries without a rate, a line each.
template <class Entries, class Name>
std::string reasons(const Entries& entries, const Name& name) {
  std::string text;
  for (const auto& entry : entries)
    if (!entry.roof) text += compose("{}: {}\n", name(entry), entry.reason);
  return text.empty() ? text : "\n" + text;
}

template <class Entry>
std::string note(const MachineRoofs& roofs, const Entry& entry) {
  return is_busy(roofs, entry) ? "busy" : "";
}

std::string read_table(const MachineRoofs& roofs) {
  std::vector<Cells> lines = {{"read, pages of", "kernel", "threads", "GB/s", "median", "note"}};
  for (const ReadEntry& entry : roofs.reads)
    if (const auto& roof = entry.roof)
      lines.push_back({pages_of(entry), std::string(roofs.read_kernel), compose("{}", roof->n_threads),
                       fixed(roof->best / kGiga, 2), fixed(roof->median / kGiga, 2), note(roofs, entry)});
  return table(lines, 2) +
         reasons(roofs.reads, [](const ReadEntry& entry) { return "pages of " + pages_of(entry); });
}

std::string peak_table(const MachineRoofs& roofs) {
  std::vector<Cells> lines = {
      {"multiply-adds", "instruction", "kernel", "threads", "GOP/s", "median", "per thread", "note"}};
  for (const PeakEntry& entry : roofs.peaks) {
    if (const auto& roof = entry.roof) {
      const double scale = kOperations / kGiga;
      lines.push_back({std::string(name_of(entry.kind)), std::string(roof->row->instruction),
                       std::string(roof->row->name), compose("{}", roof->n_threads),
                       fixed(scale * roof->best, 1), fixed(scale * roof->median, 1),
                       fixed(scale * roof->best / static_cast<double>(roof->n_threads), 1),
                       note(roofs, entry)});
    }
  }
  return table(lines, 3) +
         reasons(roofs.peaks, [](const PeakEntry& entry) { return std::string(name_of(entry.kind)); });
}

std::string what_decides(const MachineRoofs& roofs) {
  const auto tokens = tokens_read_bound(roofs);
  if (!tokens) return {};
  const double rate = find_read(roofs, PageKind::Base)->best / kGiga;
  const std::string_view doubt = is_busy(roofs) ? "Uncertain, as the machine was busy: " : "";
  const std::string reading =
      *tokens < 1 ? "arithmetic decides from the first token on"
                  : compose("reading decides while passes have up to {} tokens, arithmetic beyond",
                            fixed(std::floor(*tokens), 0));
  return compose(
      "{}Generation reads every weight for each token: at most {} tokens/s for each GB of weights.\n"
      "{}With Q4_0 weights and int8 products {}.\n",
      doubt, fixed(rate, 1), doubt, reading);
}

}  // namespace

std::string markdown(const RoofReport& report) {
  const std::string caches =
      report.cache_bytes == 0 ? "" : compose(", last-level caches {}", binary_size_text(report.cache_bytes));
  return compose(
      "{}\n{}\n{}\ncpu: {}; threads: {}; read: {}{}; an operation: a multiplication or an addition\n",
      read_table(report.roofs), peak_table(report.roofs), what_decides(report.roofs), report.cpu_info,
      report.threads_reason, binary_size_text(report.roofs.buffer_bytes), caches);
}

}  // namespace armature::tools::roof
