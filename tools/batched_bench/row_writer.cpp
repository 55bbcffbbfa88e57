#include "tools/batched_bench/row_writer.h"

#include <utility>

#include "tools/cli/output.h"

namespace armature::tools::batched {

RowWriter::RowWriter(const Options& options, Settings settings, Origin origin)
    : options_(options), settings_(settings), origin_(std::move(origin)) {}

std::vector<Cell> RowWriter::cells(const Result& result) const {
  return settings_.is_sweep ? sweep_cells_of(result, options_.with_memory) : cells_of(result);
}

void RowWriter::write_head() const {
  if (options_.format == Format::Jsonl) return;
  Result any;
  any.measured.repetitions.resize(options_.repetitions);
  write_stdout(markdown_head(settings_, cells(any)));
}

void RowWriter::write(const Result& result) const {
  const std::vector<Cell> row = cells(result);
  write_stdout(options_.format == Format::Markdown
                   ? markdown_row(row)
                   : jsonl_row(settings_, row, details_json(result, settings_, origin_)));
}

}  // namespace armature::tools::batched
