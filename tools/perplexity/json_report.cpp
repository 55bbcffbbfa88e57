#include "tools/perplexity/json_report.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "tools/plan/kernel_report.h"

namespace armature::tools::perplexity {
namespace {

using Json = nlohmann::ordered_json;

Json estimate_json(Estimate e) { return {{"value", e.value}, {"error", e.error}}; }

Json facts_json(const RunFacts& f) {
  Json json;
  json["model"] = {{"path", f.model}, {"architecture", f.architecture}, {"type", f.type}};
  json["text"] = f.text.empty() ? Json(nullptr) : Json(f.text);
  json["n_tokens"] = f.n_tokens;
  json["n_ctx"] = f.n_ctx;
  json["n_chunks"] = f.n_chunks;
  json["n_scored"] = f.n_chunks * f.n_places;
  json["adds_bos"] = f.adds_bos;
  json["n_sequences"] = f.n_sequences;
  json["n_ubatch"] = f.decoder.n_ubatch;
  json["type_k"] = cache_type_name(f.decoder.type_k);
  json["type_v"] = cache_type_name(f.decoder.type_v);
  json["threads"] = f.decoder.n_threads;
  json["isa"] = f.isa;
  json["seconds"] = f.seconds;
  return json;
}

/// Of the keys min, p0_1, ... max.
Json quantiles_json(std::span<const double> ascending) {
  struct Key {
    const char* name;
    double fraction;
  };
  constexpr std::array<Key, 13> kKeys = {{{"min", 0},
                                          {"p0_1", 0.001},
                                          {"p1", 0.01},
                                          {"p5", 0.05},
                                          {"p10", 0.1},
                                          {"p25", 0.25},
                                          {"median", 0.5},
                                          {"p75", 0.75},
                                          {"p90", 0.9},
                                          {"p95", 0.95},
                                          {"p99", 0.99},
                                          {"p99_9", 0.999},
                                          {"max", 1}}};
  Json json;
  for (const Key& key : kKeys) json[key.name] = quantile(ascending, key.fraction);
  return json;
}

Json spread_json(Estimate mean, std::span<const double> ascending) {
  Json json = {{"mean", mean.value}, {"error", mean.error}};
  json.update(quantiles_json(ascending));
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const RunFacts& facts, const Likelihood& likelihood) {
  const Estimate nll = estimate(likelihood.nll());
  Json json = facts_json(facts);
  json["nll"] = estimate_json(nll);
  json["perplexity"] = estimate_json(exponential(nll));
  json["chunks"] = Json::array();
  RunningMean so_far;  // all chunks have as many places
  for (const double of_chunk : likelihood.nll_of_chunks()) {
    so_far.add(of_chunk);
    json["chunks"].push_back({{"nll", of_chunk}, {"perplexity_so_far", std::exp(so_far.mean())}});
  }
  return text_of(json);
}

std::string to_json(const RunFacts& facts, const Comparison& comparison, const std::string& base) {
  const Divergence& d = comparison.divergence();
  Json json = facts_json(facts);
  json["base"] = base;
  json["nll"] = estimate_json(d.nll());
  json["perplexity"] = estimate_json(exponential(d.nll()));
  json["nll_base"] = estimate_json(d.nll_base());
  json["perplexity_base"] = estimate_json(exponential(d.nll_base()));
  json["correlation"] = d.correlation();
  json["ln_ratio"] = estimate_json(d.ln_ratio());
  json["ratio"] = estimate_json(exponential(d.ln_ratio()));
  json["difference"] = estimate_json(d.ppl_difference());
  json["kld"] = spread_json(d.kld(), d.sorted_kld());
  json["delta_p"] = spread_json(d.delta_p(), d.sorted_delta_p());
  json["rms_delta_p"] = estimate_json(d.rms_delta_p());
  json["same_top"] = estimate_json(d.same_top());
  json["chunks"] = Json::array();
  for (std::size_t i = 0; i < comparison.kld_of_chunks().size(); ++i)
    json["chunks"].push_back(
        {{"nll", comparison.nll_of_chunks()[i]}, {"kld", comparison.kld_of_chunks()[i]}});
  return text_of(json);
}

}  // namespace armature::tools::perplexity
