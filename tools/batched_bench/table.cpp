#include "tools/batched_bench/table.h"

#include <algorithm>

#include "gguf/compose.h"
#include "tools/cli/units.h"

namespace armature::tools::batched {
namespace {

constexpr std::int64_t kGpuLayers = -1;  // llama.cpp's default

struct NamedValue {
  std::string_view name;
  std::int64_t value;
  bool in_json = true;
};

std::vector<NamedValue> named_values(const Settings& settings) {
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  std::vector<NamedValue> out = {{"n_kv_max", number(settings.n_kv_max)},
                                 {"n_batch", number(settings.n_batch)},
                                 {"n_ubatch", number(settings.n_ubatch)},
                                 {"flash_attn", settings.flash_attn}};
  if (!settings.is_sweep) {
    out.push_back({"is_pp_shared", settings.shared_prompt ? 1 : 0});
    out.push_back({"is_tg_separate", settings.one_by_one ? 1 : 0, false});
  }
  out.push_back({"n_gpu_layers", kGpuLayers});
  out.push_back({"n_threads", number(settings.n_threads)});
  out.push_back({"n_threads_batch", number(settings.n_threads_batch)});
  return out;
}

std::string padded(std::string_view text, std::size_t width) {
  return compose("{}{}", std::string(width - std::min(width, text.size()), ' '), text);
}

/// "|a | b |": no blank after the first bar.
std::string table_line(std::span<const std::string> texts, std::string_view after, std::string_view before) {
  std::string line;
  for (const std::string& text : texts) line += compose("|{}{}{}", line.empty() ? "" : before, text, after);
  return line + "|\n";
}

std::string json_value(const Cell& cell) {
  return cell.value ? fixed(*cell.value, cell.decimals > 0 ? 6 : 0) : "null";
}

}  // namespace

std::string markdown_head(const Settings& settings, std::span<const Cell> columns) {
  std::string text;
  for (const NamedValue& setting : named_values(settings))
    text += compose("{} {} = {}", text.empty() ? "main:" : ",", setting.name, setting.value);
  std::vector<std::string> names, rules;
  for (const Cell& cell : columns) {
    names.push_back(padded(cell.column, cell.width));
    rules.emplace_back(cell.width, '-');
  }
  return compose("{}\n\n{}{}", text, table_line(names, " ", " "), table_line(rules, "-", "-"));
}

std::string markdown_row(std::span<const Cell> cells) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells)
    texts.push_back(padded(cell.value ? fixed(*cell.value, cell.decimals) : "n/a", cell.width));
  return table_line(texts, " ", " ");
}

std::string jsonl_row(const Settings& settings, std::span<const Cell> cells, std::string_view x) {
  std::string text = "{";
  for (const NamedValue& setting : named_values(settings))
    if (setting.in_json) text += compose("\"{}\": {}, ", setting.name, setting.value);
  for (const Cell& cell : cells) text += compose("\"{}\": {}, ", cell.key, json_value(cell));
  return compose("{}\"x\": {}}\n", text, x);
}

}  // namespace armature::tools::batched
