#include <functional>

#include "gguf/compose.h"
#include "tools/bench/hash.h"
#include "tools/bench/random_tokens.h"
#include "tools/bench/reading_json.h"
#include "tools/bench/record.h"
#include "tools/bench/sensors_json.h"
#include "tools/bench/statistics.h"

namespace armature::tools::bench {
namespace {

constexpr double kNsPerMs = 1e6, kNsPerSecond = 1e9;
constexpr double kOperations = 2;  // of a multiply-add

constexpr std::string_view kNoPrompt = "the test has no prompt";
constexpr std::string_view kNoGeneration = "the test generates nothing";

std::vector<double> each(const Record& r, const std::function<nanoseconds(const Repetition&)>& time) {
  std::vector<double> out;
  for (const Repetition& repetition : r.repetitions)
    out.push_back(static_cast<double>(time(repetition).count()));
  return out;
}

/// Smallest, middle and largest rate, and the interval of their mean.
Json rates_json(const Record& r) {
  const std::vector<double> speeds = rates(r);
  const Spread of = spread(speeds);
  Json json = {{"min", of.min}, {"median", of.median}, {"max", of.max}};
  if (const auto interval = interval_95(speeds)) {
    json["ci95"] = {{"low", interval->low}, {"high", interval->high}};
  } else {
    json["ci95"] = unknown("one repetition has no spread");
  }
  return json;
}

/// The rate of one of the two phases by itself.
Json phase_json(const std::vector<double>& times, std::size_t n_tokens) {
  std::vector<double> speeds = times;
  for (double& value : speeds) value = kNsPerSecond * static_cast<double>(n_tokens) / value;
  Json samples = Json::array();
  for (const double time : times) samples.push_back(static_cast<std::int64_t>(time));
  return {{"avg_ts", mean(speeds)}, {"stddev_ts", standard_deviation(speeds)}, {"samples_ns", samples}};
}

Json prompt_json(const Record& r) {
  if (r.test.n_prompt == 0) return unknown(kNoPrompt);
  return phase_json(each(r, [](const Repetition& x) { return x.prompt; }), r.test.n_prompt);
}

Json generation_json(const Record& r) {
  if (r.test.n_gen == 0) return unknown(kNoGeneration);
  return phase_json(each(r, [](const Repetition& x) { return x.generation(); }), r.test.n_gen);
}

Json ttft_json(const Record& r) {
  if (r.test.n_prompt == 0) return unknown(kNoPrompt);
  const Spread of = spread(each(r, [](const Repetition& x) { return x.prompt; }));
  return {{"min", of.min / kNsPerMs}, {"median", of.median / kNsPerMs}, {"max", of.max / kNsPerMs}};
}

std::vector<double> token_times(const Record& r) {
  std::vector<double> times;
  for (const Repetition& repetition : r.repetitions)
    for (const nanoseconds token : repetition.tokens) times.push_back(static_cast<double>(token.count()));
  return times;
}

Json itl_json(const Record& r) {
  if (r.test.n_gen == 0) return unknown(kNoGeneration);
  const std::vector<double> times = token_times(r);
  Json json;
  for (const int p : {50, 95, 99}) json[compose("p{}", p)] = percentile(times, p) / kNsPerMs;
  json["max"] = percentile(times, 100) / kNsPerMs;
  json["n"] = times.size();
  return json;
}

/// Bytes per second that generation has read.
double read_rate(const Record& r) {
  const double per_token = static_cast<double>(r.model.traffic.weight_bytes) + r.details.kv_bytes_per_token;
  return per_token / mean(token_times(r)) * kNsPerSecond;
}

Json reading_json(const Record& r) {
  if (r.test.n_gen == 0) return unknown(kNoGeneration);
  return {{"weight_bytes", r.model.traffic.weight_bytes},
          {"kv_bytes", r.details.kv_bytes_per_token},
          {"gb_s", read_rate(r) / 1e9}};
}

/// Multiplications with weights that the prompt takes. Of each chunk the last token wants logits.
std::uint64_t products(const Record& r) {
  const std::size_t n_chunks = (r.test.n_prompt + r.test.n_batch - 1) / r.test.n_batch;
  return r.model.traffic.products(r.test.n_prompt, n_chunks);
}

/// ... per second.
double product_rate(const Record& r) {
  const double time = mean(each(r, [](const Repetition& x) { return x.prompt; }));
  return static_cast<double>(products(r)) / time * kNsPerSecond;
}

Json computing_json(const Record& r) {
  if (r.test.n_prompt == 0) return unknown(kNoPrompt);
  return {{"multiply_adds", products(r)}, {"gop_s", kOperations * product_rate(r) / 1e9}};
}

/// Which part of a roof a rate is, and the roof itself, in its unit.
Json share_json(const Roof& roof, double rate, std::string_view name, double unit, std::string_view of) {
  if (!roof.value) return unknown(roof.reason);
  return {{"value", rate / *roof.value}, {name, *roof.value / unit}, {of, roof.of}, {"busy", roof.busy}};
}

Json read_share_json(const Record& r) {
  if (r.test.n_gen == 0) return unknown(kNoGeneration);
  const Details& d = r.details;
  Json json = share_json(d.read_bandwidth, read_rate(r), "roof_gb_s", 1e9, "pages");
  json["other_pages"] = share_json(d.read_bandwidth_other_pages, read_rate(r), "roof_gb_s", 1e9, "pages");
  return json;
}

Json compute_share_json(const Record& r) {
  if (r.test.n_prompt == 0) return unknown(kNoPrompt);
  return share_json(r.details.peak_rate, product_rate(r), "roof_gop_s", 1e9 / kOperations, "roof");
}

Json kernels_json(const Details& d) {
  Fnv1a hash;
  Json rows = Json::array();
  for (const KernelChoice& choice : d.kernels) {
    rows.push_back(to_line(choice));
    hash.add(to_line(choice));
    hash.add("\n");
  }
  return {{"hash", hash.text()}, {"rows", rows}};
}

Json host_json(const HostFacts& host) {
  return {{"fingerprint", host.fingerprint()},
          {"cpus", host.cpus},
          {"affinity", host.affinity},
          {"quota", host.quota ? known(*host.quota) : unknown("no cgroup limits the process's CPU time")},
          {"features", host.features},
          {"system", host.system},
          {"memory", host.memory ? known(*host.memory) : unknown("the system does not say")}};
}

Json memory_json(const Details& d) {
  return {{"kv", d.kv_bytes},
          {"scratch", d.scratch_bytes},
          {"peak_rss", d.peak_rss > 0 ? known(d.peak_rss) : unknown("the system does not say")}};
}

}  // namespace

std::string details_json(const Record& r, int indent) {
  const Details& d = r.details;
  Json json;
  json["method"] = kMethod;
  json["prompt_seed"] = kTokenSeed;
  json["warm_up"] = d.warm_up;
  json["flash_attn"] = true;  // the attention kernels always run in tiles
  json["ts"] = rates_json(r);
  json["prompt"] = prompt_json(r);
  json["generation"] = generation_json(r);
  json["ttft_ms"] = ttft_json(r);
  json["itl_ms"] = itl_json(r);
  json["read"] = reading_json(r);
  json["read_share"] = read_share_json(r);
  json["compute"] = computing_json(r);
  json["compute_share"] = compute_share_json(r);
  json["load_s"] = {
      {"open", d.open.count()}, {"page_in", d.page_in.count()}, {"other", d.make_decoder.count()}};
  json["memory"] = memory_json(d);
  json["threads"] = {{"n", r.n_threads}, {"reason", d.threads_reason}};
  json["isa"] = d.isa;
  json["kernels"] = kernels_json(d);
  json["model"] = {{"hash", r.model.hash}, {"method", kModelHashMethod}};
  json["host"] = host_json(r.host);
  add_sensors(json, d.sensors, static_cast<double>(r.repetitions.size() * (r.test.n_prompt + r.test.n_gen)));
  json["output_check"] = json_of(d.output_check);
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace armature::tools::bench
