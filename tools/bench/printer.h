#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tools/bench/record.h"

namespace armature::tools::bench {

/// One of llama-bench's output formats. The text is what head(), a row for each record and foot() give, in
/// turn; each is written when it is there.
class Printer {
 public:
  virtual ~Printer() = default;
  virtual std::string head() { return {}; }
  virtual std::string row(const Record& record) = 0;
  virtual std::string foot() { return {}; }
};

/// `format` is a word of --output. `tests` are all that will be run: a table has columns for what differs
/// from the defaults in one of them.
std::unique_ptr<Printer> make_printer(std::string_view format, std::span<const Test> tests, Compat compat);

// One file each.
std::unique_ptr<Printer> markdown_printer(std::span<const Test> tests, Compat compat);
std::unique_ptr<Printer> csv_printer(Compat compat);
std::unique_ptr<Printer> json_printer(Compat compat);
std::unique_ptr<Printer> jsonl_printer(Compat compat);
std::unique_ptr<Printer> sql_printer(Compat compat);

/// The fields of any record, for heads: their values mean nothing.
std::vector<Field> sample_fields(Compat compat);

}  // namespace armature::tools::bench
