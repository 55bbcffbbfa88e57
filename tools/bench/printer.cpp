#include "tools/bench/printer.h"

#include <cassert>

namespace armature::tools::bench {

std::unique_ptr<Printer> make_printer(std::string_view format, std::span<const Test> tests, Compat compat) {
  if (format == "md") return markdown_printer(tests, compat);
  if (format == "csv") return csv_printer(compat);
  if (format == "json") return json_printer(compat);
  if (format == "jsonl") return jsonl_printer(compat);
  assert(format == "sql");
  return sql_printer(compat);
}

std::vector<Field> sample_fields(Compat compat) {
  Record record;
  record.test.n_prompt = 1;
  record.repetitions.push_back({nanoseconds(1), {}});
  return fields_of(record, compat);
}

}  // namespace armature::tools::bench
