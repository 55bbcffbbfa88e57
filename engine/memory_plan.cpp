#include <algorithm>
#include <string>

#include "engine/decoder.h"
#include "engine/scratch.h"

namespace armature {

namespace {
std::size_t pages(std::size_t n_ctx) { return (n_ctx + kPageCells - 1) / kPageCells; }
}  // namespace

std::size_t choose_n_ctx(const Model& model, const DecoderOptions& options, std::size_t available_bytes) {
  DecoderOptions o = options;
  o.n_ctx = std::min(model.config().n_ctx_train, kMaxContext);
  const MemoryPlan whole = plan_memory(model, o);
  // A tenth is left to the rest of the program and the system.
  const std::size_t usable = available_bytes - available_bytes / 10;
  // Address space that may be limited too: logits of every row, of which few are ever committed.
  const std::size_t logits = std::min(o.n_ubatch, o.n_ctx) * model.config().n_vocab * sizeof(float);
  const std::size_t others = whole.scratch_bytes + logits;
  const std::size_t for_kv = usable > others ? usable - others : 0;
  if (whole.kv_bytes <= for_kv) return o.n_ctx;
  return std::max<std::size_t>(for_kv / whole.kv_bytes_per_page, 1) * kPageCells;
}

MemoryPlan plan_memory(const Model& model, const DecoderOptions& options) {
  const std::size_t n_threads = std::max(options.n_threads, options.n_threads_batch);
  const std::size_t n_rows = std::min(options.n_ubatch, options.n_ctx);
  MemoryPlan plan;
  plan.n_ctx = options.n_ctx;
  plan.kv_bytes_per_page = KvCache::layout(model.config(), options.type_k, options.type_v).page_bytes;
  plan.kv_bytes = pages(options.n_ctx) * plan.kv_bytes_per_page;
  plan.scratch_bytes = Scratch::bytes(model.config(), model.weights(), n_rows, n_threads);
  return plan;
}

void check_memory(const MemoryPlan& plan, std::size_t available_bytes) {
  const std::size_t needed = plan.kv_bytes + plan.scratch_bytes;
  if (needed <= available_bytes) return;
  throw Error(ErrorCode::out_of_memory,
              std::to_string(needed) + " bytes are needed (" + std::to_string(plan.kv_bytes) +
                  " for the KV cache of " + std::to_string(plan.n_ctx) + " positions, " +
                  std::to_string(plan.scratch_bytes) + " for scratch), " + std::to_string(available_bytes) +
                  " are available; a smaller context needs less");
}

}  // namespace armature
