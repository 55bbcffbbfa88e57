#include "tools/batched_bench/result.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "tools/bench/random_tokens.h"
#include "tools/bench/statistics.h"

namespace armature::tools::batched {
namespace {

using Json = nlohmann::ordered_json;

/// Of one repetition, in nanoseconds.
using Phase = nanoseconds (*)(const Times&);
nanoseconds prompt(const Times& times) { return times.prompt; }
nanoseconds generation(const Times& times) { return times.generation; }
nanoseconds total(const Times& times) { return times.prompt + times.generation; }

double seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

double mean_seconds(const Result& result, Phase phase) {
  std::vector<double> times;
  for (const Times& repetition : result.measured.repetitions) times.push_back(seconds(phase(repetition)));
  return bench::mean(times);
}

/// 0 where there is nothing to do.
double rate(std::size_t n_tokens, double time) {
  return n_tokens == 0 ? 0 : static_cast<double>(n_tokens) / time;
}

double deviation(const Result& result, std::size_t n_tokens, Phase phase) {
  std::vector<double> rates;
  for (const Times& repetition : result.measured.repetitions)
    rates.push_back(rate(n_tokens, seconds(phase(repetition))));
  return bench::standard_deviation(rates);
}

Cell count(std::string_view column, std::string_view key, std::size_t width, std::size_t n) {
  return {column, key, width, 0, static_cast<double>(n)};
}
Cell time(std::string_view column, std::string_view key, double value) { return {column, key, 8, 3, value}; }
Cell speed(std::string_view column, std::string_view key, double value) { return {column, key, 8, 2, value}; }

/// Time and speed of the two phases.
void add_phases(const Result& r, std::vector<Cell>& cells) {
  const double t_prompt = mean_seconds(r, prompt), t_gen = mean_seconds(r, generation);
  cells.push_back(time("T_PP s", "t_pp", t_prompt));
  cells.push_back(speed("S_PP t/s", "speed_pp", rate(r.n_prompt_tokens, t_prompt)));
  cells.push_back(time("T_TG s", "t_tg", t_gen));
  cells.push_back(speed("S_TG t/s", "speed_tg", rate(r.n_gen_tokens, t_gen)));
}

void add_deviations(const Result& r, std::vector<Cell>& cells) {
  if (r.measured.repetitions.size() < 2) return;
  cells.push_back(speed("SD_PP", "stddev_pp", deviation(r, r.n_prompt_tokens, prompt)));
  cells.push_back(speed("SD_TG", "stddev_tg", deviation(r, r.n_gen_tokens, generation)));
}

std::optional<double> mebibytes(std::uint64_t bytes) {
  return bytes > 0 ? std::optional(static_cast<double>(bytes) / (1 << 20)) : std::nullopt;
}

Json samples_ns(const Result& result, Phase phase) {
  Json samples = Json::array();
  for (const Times& repetition : result.measured.repetitions) samples.push_back(phase(repetition).count());
  return samples;
}

}  // namespace

Result result_of(const Case& row, const Mode& mode, Measurement measured) {
  return {.row = row,
          .n_kv = cells_needed(row, mode),
          .n_prompt_tokens = prompt_tokens(row, mode),
          .n_gen_tokens = generated_tokens(row),
          .measured = std::move(measured)};
}

std::vector<Cell> cells_of(const Result& r) {
  const std::size_t n_tokens = r.n_prompt_tokens + r.n_gen_tokens;
  const double t = mean_seconds(r, total);
  std::vector<Cell> cells = {count("PP", "pp", 6, r.row.n_prompt), count("TG", "tg", 6, r.row.n_gen),
                             count("B", "pl", 4, r.row.n_sequences), count("N_KV", "n_kv", 6, r.n_kv)};
  add_phases(r, cells);
  cells.push_back(time("T s", "t", t));
  cells.push_back(speed("S t/s", "speed", rate(n_tokens, t)));
  add_deviations(r, cells);
  if (r.measured.repetitions.size() > 1)
    cells.push_back(speed("SD", "stddev", deviation(r, n_tokens, total)));
  return cells;
}

std::vector<Cell> sweep_cells_of(const Result& r, bool with_memory) {
  std::vector<Cell> cells = {count("PP", "pp", 6, r.row.n_prompt), count("TG", "tg", 6, r.row.n_gen),
                             count("N_KV", "n_kv", 6, r.n_kv)};
  add_phases(r, cells);
  if (with_memory) {
    cells.push_back({"RSS HWM", "rss_hwm_mib", 10, 1, mebibytes(r.peak_rss)});
    cells.push_back({"VRAM delta", "vram_delta_mib", 10, 1, std::nullopt});
  }
  add_deviations(r, cells);
  return cells;
}

std::string details_json(const Result& result, const Settings& settings, const Origin& origin) {
  const Json json = {
      {"method", kMethod},
      {"prompt_seed", bench::kTokenSeed},
      {"is_tg_separate", settings.one_by_one},
      {"kv_pages", result.measured.n_pages},
      {"samples_ns", {{"pp", samples_ns(result, prompt)}, {"tg", samples_ns(result, generation)}}},
      {"model", {{"file", origin.model_file}, {"name", origin.model_name}, {"hash", origin.model_hash}}},
      {"host", origin.host}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace armature::tools::batched
