#pragma once

#include "tools/batched_bench/result.h"

namespace armature::tools::batched {

/// Writes rows to standard output as they are measured.
class RowWriter {
 public:
  enum class Format { Markdown, Jsonl };
  struct Options {
    Format format = Format::Markdown;
    bool with_memory = false;     // --sweep-memory
    std::size_t repetitions = 1;  // several: rows have deviations
  };
  RowWriter(const Options& options, Settings settings, Origin origin);

  /// Comes before the rows.
  void write_head() const;
  void write(const Result& result) const;

 private:
  std::vector<Cell> cells(const Result& result) const;

  Options options_;
  Settings settings_;
  Origin origin_;
};

}  // namespace armature::tools::batched
