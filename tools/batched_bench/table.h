#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The two output formats of llama-batched-bench and sweep-bench.
namespace armature::tools::batched {

/// What holds for all rows, as it was asked for.
struct Settings {
  bool is_sweep = false;
  std::size_t n_kv_max = 0, n_batch = 0, n_ubatch = 0;
  int flash_attn = -1;  // 0, 1; -1: auto
  bool shared_prompt = false, one_by_one = false;
  std::size_t n_threads = 0, n_threads_batch = 0;
};

/// One value of a row.
struct Cell {
  std::string_view column;  // its name in the table
  std::string_view key;     // ... and in JSON
  std::size_t width = 0;
  int decimals = 0;             // in the table; in JSON a number that has any has six
  std::optional<double> value;  // nothing where there is none: "n/a", null
};

/// The line of settings, an empty one, the names of the columns and the rule below them.
std::string markdown_head(const Settings& settings, std::span<const Cell> columns);
std::string markdown_row(std::span<const Cell> cells);
/// One object: settings, cells, and `x`, which is JSON text, under that key.
std::string jsonl_row(const Settings& settings, std::span<const Cell> cells, std::string_view x);

}  // namespace armature::tools::batched
