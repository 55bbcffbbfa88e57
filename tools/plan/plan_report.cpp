#include "tools/plan/plan_report.h"

#include <nlohmann/json.hpp>

#include "engine/linear.h"
#include "gguf/compose.h"
#include "gguf/error.h"
#include "tools/cli/columns.h"
#include "tools/cli/units.h"
#include "tools/plan/kernel_report.h"

namespace armature::tools {
namespace {

using Json = nlohmann::ordered_json;

/// The regime of a pass that makes one token of each sequence.
std::string_view decoding_regime(const DecoderOptions& options) {
  return options.n_sequences <= kFewRows || options.batch_invariant ? "few rows" : "many rows";
}

std::string context_text(const PlanReport& r) {
  const DecoderOptions& o = r.options;
  std::string text = compose("{} ({})", o.n_ctx, r.context_reason);
  if (o.n_sequences == 1) return text;
  return text + compose(", shared by {} sequences, {} each", o.n_sequences, o.n_ctx / o.n_sequences);
}

std::string threads_text(const PlanReport& r) {
  std::string text = compose("{} ({})", r.options.n_threads, r.threads_reason);
  if (r.options.n_threads_batch != 0) text += compose(", {} for the prompt", r.options.n_threads_batch);
  return text;
}

std::string memory_text(const PlanReport& r) {
  Columns columns("lrl");
  columns.add({"weights", size_text(r.weights), r.weights_stay_in_files ? "mapped" : "in memory"});
  columns.add({"KV cache", size_text(r.memory.kv_bytes),
               compose("{} for each token, keys {}, values {}", size_text(r.kv_per_token()),
                       cache_type_name(r.options.type_k), cache_type_name(r.options.type_v))});
  columns.add({"scratch", size_text(r.memory.scratch_bytes)});
  if (r.more_logits > 0) columns.add({"logits", size_text(r.more_logits), "of the other sequences' rows"});
  columns.add({"total", size_text(r.total())});
  std::string verdict;
  if (!r.fits()) {
    verdict = "too little";
  } else if (r.total() > r.available) {
    verdict = "weights will be read from the file again and again";
  }
  columns.add({"available", size_text(r.available), verdict});
  return columns.text(2);
}

}  // namespace

std::string to_json(const PlanReport& r) {
  const DecoderOptions& o = r.options;
  Json json;
  json["model"] = {{"path", r.model.path}, {"architecture", r.model.architecture}, {"type", r.model.type}};
  json["context"] = {{"n_ctx", o.n_ctx},
                     {"reason", r.context_reason},
                     {"n_ctx_train", r.model.n_ctx_train},
                     {"sequences", o.n_sequences},
                     {"n_ctx_per_sequence", o.n_ctx / o.n_sequences},
                     {"type_k", cache_type_name(o.type_k)},
                     {"type_v", cache_type_name(o.type_v)}};
  json["batch"] = {{"n_ubatch", o.n_ubatch}, {"decoding", decoding_regime(o)}};
  json["threads"] = o.n_threads;
  json["threads_batch"] = o.n_threads_batch == 0 ? o.n_threads : o.n_threads_batch;
  json["threads_reason"] = r.threads_reason;
  json["bytes"] = {{"weights", r.weights},    {"kv_per_token", r.kv_per_token()},
                   {"kv", r.memory.kv_bytes}, {"scratch", r.memory.scratch_bytes},
                   {"logits", r.more_logits}, {"total", r.total()},
                   {"needed", r.needed()},    {"available", r.available}};
  json["fits"] = r.fits();
  json["isa"] = r.isa;
  json["isa_masked_by"] = r.isa_masked_by.empty() ? Json(nullptr) : Json(r.isa_masked_by);
  json["kernels"] = kernels_json(r.kernels);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(const PlanReport& r) {
  Columns facts("ll");
  facts.add({"model", compose("{} ({}, {})", quote(r.model.path, std::string::npos), r.model.architecture,
                              r.model.type)});
  facts.add({"context", context_text(r)});
  facts.add({"batch", compose("at most {} rows; decoding runs the kernels for {}", r.options.n_ubatch,
                              decoding_regime(r.options))});
  facts.add({"threads", threads_text(r)});
  facts.add({"features", r.isa_masked_by.empty() ? r.isa : compose("{}, by {}", r.isa, r.isa_masked_by)});
  return compose("{}\nmemory\n{}\nkernels\n{}", facts.text(), memory_text(r),
                 kernels_text(r.kernels, r.isa_masked_by, 2));
}

}  // namespace armature::tools
