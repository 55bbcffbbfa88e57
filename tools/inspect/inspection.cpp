#include "tools/inspect/inspection.h"

#include <algorithm>

#include "engine/kv_cache.h"

namespace armature::tools {
namespace {

std::vector<Inspection::KvBytes> kv_bytes_per_token(const ModelConfig& config) {
  std::vector<Inspection::KvBytes> bytes;
  for (const kernels::StoreRow& row : kernels::store_rows()) {
    if (row.needs != cpu::kNone) continue;  // each type has one row that needs nothing
    bytes.push_back({row.to, KvCache::layout(config, row.to, row.to).page_bytes / kPageCells});
  }
  std::sort(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  return bytes;
}

}  // namespace

Inspection inspect_files(const gguf::ModelFiles& files, cpu::Features features) {
  Inspection out;
  out.files = &files;
  out.census = take_census(files, features);
  out.check = check_model(files, features);
  if (out.check.config) out.kv_bytes_per_token = kv_bytes_per_token(*out.check.config);
  if (out.check.weights) {
    KernelPlanOptions options;
    options.features = features;
    out.kernels = kernel_plan(*out.check.config, *out.check.weights, options);
  }
  const Tokenizer* tokenizer = out.check.tokenizer.get();
  if (tokenizer != nullptr) out.tokenizer = TokenizerCheck::of(*tokenizer, files.metadata());
  out.chat_templates = check_templates(files.metadata(), tokenizer);
  out.warnings = warnings_about(files, out.check.weights ? &*out.check.weights : nullptr, tokenizer);
  return out;
}

}  // namespace armature::tools
