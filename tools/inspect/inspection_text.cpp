#include <algorithm>

#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/columns.h"
#include "tools/cli/plain.h"
#include "tools/cli/units.h"
#include "tools/inspect/inspection.h"
#include "tools/inspect/metadata_view.h"
#include "tools/plan/kernel_report.h"

namespace armature::tools {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMostFaults = 12, kMostWarnings = 4;

std::string type_name(gguf::TensorType type) { return std::string(gguf::type_info(type).name); }

std::string shape_text(const gguf::TensorInfo& tensor) {
  std::string text = "[";
  for (std::uint32_t i = 0; i < tensor.n_dims; ++i)
    text += compose("{}{}", i > 0 ? ", " : "", tensor.shape[i]);
  return text + "]";
}

/// The number of a file is shown where there are several.
std::string tensors_text(const gguf::ModelFiles& files) {
  const bool split = files.files().size() > 1;
  Columns columns("lllrrr");
  columns.add({"name", "type", "shape", "size", "offset", split ? "file" : ""});
  for (std::size_t i = 0; i < files.files().size(); ++i) {
    for (const gguf::TensorInfo& t : files.files()[i].tensors)
      columns.add({plain(t.name), type_name(t.type), shape_text(t), size_text(t.size), hex(t.offset),
                   split ? compose("{}", i + 1) : ""});
  }
  return columns.text(kIndent);
}

std::vector<std::string> census_cells(std::string name, const TensorSums& sums) {
  return {std::move(name), compose("{}", sums.tensors), count_text(sums.parameters), size_text(sums.bytes),
          fixed(sums.bits_per_weight(), 2)};
}

std::string types_text(const Census& census) {
  Columns columns("lrrrrl");
  columns.add({"type", "tensors", "weights", "size", "bits each", "kernels for few and many rows"});
  for (const TypeCensus& row : census.types) {
    auto cells = census_cells(type_name(row.type), row.sums);
    cells.push_back(row.few.empty()       ? "none"
                    : row.few == row.many ? std::string(row.few)
                                          : compose("{}, {}", row.few, row.many));
    columns.add(std::move(cells));
  }
  if (census.types.size() > 1) columns.add(census_cells("all", census.all));
  return columns.text(kIndent);
}

std::string facts_text(const Inspection& inspection) {
  const gguf::ModelFiles& files = *inspection.files;
  const gguf::File& first = files.files().front();
  Columns columns("ll");
  columns.add(
      {"file", compose("{}, {}, GGUF version {}, alignment {}", quote(first.name(), std::string::npos),
                       size_text(first.size), first.version, first.alignment)});
  for (std::size_t i = 1; i < files.files().size(); ++i) {
    const gguf::File& file = files.files()[i];
    columns.add({compose("file {}", i + 1),
                 compose("{}, {}", quote(file.name(), std::string::npos), size_text(file.size))});
  }
  const TensorSums& all = inspection.census.all;
  columns.add({"weights", all.tensors == 0
                              ? "none"
                              : compose("{} in {} tensors, {} bits each", count_text(all.parameters),
                                        all.tensors, fixed(all.bits_per_weight(), 2))});
  std::string kv;
  for (const auto& [type, bytes] : inspection.kv_bytes_per_token)
    kv += compose("{}{} in {}", kv.empty() ? "" : ", ", size_text(bytes), cache_type_name(type));
  columns.add({"KV cache", kv.empty() ? "not known" : kv + " for each token"});
  return columns.text();
}

/// An Error's line without the file's name where that is the one inspected.
std::string_view without_file(const Error& error, const std::string& file) {
  const std::string prefix = Error(error.code(), {file, {}, {}}, "").what();
  std::string_view line = error.what();
  if (line.starts_with(prefix)) line.remove_prefix(prefix.size());
  return line;
}

/// The first `most` lines, or all, each indented.
template <class Items, class Line>
std::string list_text(const Items& items, std::size_t most, Line line) {
  std::string text;
  const std::size_t n = std::min(items.size(), most);
  for (std::size_t i = 0; i < n; ++i) text += compose("  {}\n", line(items[i]));
  if (n < items.size()) text += compose("  and {} more; --full shows all\n", items.size() - n);
  return text;
}

std::string verdict_text(const Inspection& inspection, bool full) {
  const std::string& file = inspection.files->metadata().file();
  const auto most = [full](std::size_t n) { return full ? std::string::npos : n; };
  std::string text;
  if (!inspection.warnings.empty())
    text +=
        "warnings\n" +
        list_text(inspection.warnings, most(kMostWarnings), [](const std::string& line) { return line; }) +
        "\n";
  if (inspection.runs()) return text + "The model runs.\n";
  return text + "The model does not run:\n" +
         list_text(inspection.check.faults, most(kMostFaults),
                   [&](const Error& fault) { return without_file(fault, file); });
}

}  // namespace

std::string to_text(const Inspection& inspection, const TextOptions& options) {
  const gguf::ModelFiles& files = *inspection.files;
  std::string text = "metadata\n" + metadata_text(files.metadata(), options.full, kIndent);
  if (files.n_tensors() > 0) {
    text += "\ntensors (shapes: outermost dimension first)\n" + tensors_text(files);
    text += "\ntypes\n" + types_text(inspection.census);
  }
  if (options.kernels && !inspection.kernels.empty())
    text += "\nkernels\n" + kernels_text(inspection.kernels, options.masked_by, kIndent);
  if (inspection.tokenizer) text += "\ntokenizer\n" + to_text(*inspection.tokenizer, kIndent);
  if (!inspection.chat_templates.empty())
    text += "\nchat template\n" + to_text(inspection.chat_templates, kIndent);
  return compose("{}\n{}\n{}", text, facts_text(inspection), verdict_text(inspection, options.full));
}

}  // namespace armature::tools
