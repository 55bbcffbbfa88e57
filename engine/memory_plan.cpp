#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/decoder.h"
#include "engine/scratch.h"
#include "gguf/checked.h"

namespace armature {

namespace {

/// Positions that the last pages of the sequences may leave empty.
std::size_t unused_cells(const DecoderOptions& options) {
  return std::max<std::size_t>(options.n_sequences, 1) * (kPageCells - 1);
}

/// Pages that n_ctx positions take, however the sequences share them.
std::size_t n_pages(const DecoderOptions& options) {
  return (options.n_ctx + unused_cells(options)) / kPageCells;
}

Error context_too_large(std::size_t n_ctx) {
  return Error(ErrorCode::bad_argument, "context size " + std::to_string(n_ctx) + "; 1 to " +
                                            std::to_string(kMaxContext) + " is allowed");
}

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
  const std::size_t cells = for_kv / whole.kv_bytes_per_page * kPageCells + kPageCells - 1;
  return std::max(cells - std::min(cells, unused_cells(o)), kPageCells);
}

MemoryPlan plan_memory(const Model& model, const DecoderOptions& options) {
  const std::size_t n_threads = std::max(options.n_threads, options.n_threads_batch);
  const std::size_t n_rows = std::min(options.n_ubatch, options.n_ctx);
  MemoryPlan plan;
  plan.n_ctx = options.n_ctx;
  plan.kv_bytes_per_page = KvCache::layout(model.config(), options.type_k, options.type_v).page_bytes;
  plan.n_pages = n_pages(options);
  const auto kv_bytes = gguf::mul(plan.n_pages, plan.kv_bytes_per_page);
  if (!kv_bytes || options.n_ctx > SIZE_MAX / 2) throw context_too_large(options.n_ctx);
  plan.kv_bytes = *kv_bytes;
  plan.scratch_bytes = Scratch::bytes(model.config(), model.weights(), n_rows, n_threads);
  return plan;
}

void check_memory(const MemoryPlan& plan, std::size_t available_bytes) {
  const std::size_t needed = plan.kv_bytes + plan.scratch_bytes;
  if (needed <= available_bytes && plan.n_ctx > kMaxContext) throw context_too_large(plan.n_ctx);
  if (needed <= available_bytes) return;
  throw Error(ErrorCode::out_of_memory,
              std::to_string(needed) + " bytes are needed (" + std::to_string(plan.kv_bytes) +
                  " for the KV cache of " + std::to_string(plan.n_ctx) + " positions, " +
                  std::to_string(plan.scratch_bytes) + " for scratch), " + std::to_string(available_bytes) +
                  " are available; a smaller context needs less");
}

}  // namespace armature
