#include "engine/kv_cache.h"

#include <cstring>
#include <numeric>

namespace armature {

KvCache::Layout KvCache::layout(const ModelConfig& config, gguf::TensorType type_k, gguf::TensorType type_v) {
  Layout l;
  l.k_row_bytes = gguf::row_bytes(type_k, config.head_dim_k);
  l.v_row_bytes = gguf::row_bytes(type_v, config.head_dim_v);
  l.k_head_bytes = kPageCells * l.k_row_bytes;
  l.v_head_bytes = kPageCells * l.v_row_bytes;
  for (const std::uint32_t n_head_kv : config.n_head_kv) {
    l.k_offset.push_back(l.page_bytes);
    l.v_offset.push_back(l.page_bytes + n_head_kv * l.k_head_bytes);
    l.page_bytes += n_head_kv * (l.k_head_bytes + l.v_head_bytes);
  }
  return l;
}

KvCache::KvCache(const ModelConfig& config, std::size_t n_cells, gguf::TensorType type_k,
                 gguf::TensorType type_v)
    : layout_(layout(config, type_k, type_v)), type_k_(type_k), type_v_(type_v) {
  const std::size_t n_pages = (n_cells + kPageCells - 1) / kPageCells;
  memory_ = LazyMemory(n_pages * layout_.page_bytes, "KV cache");
  references_.assign(n_pages, 0);
  // Taken from the back: pages are first used in the order of their addresses.
  for (std::size_t i = n_pages; i-- > 0;) free_.push_back(static_cast<PageId>(i));
}

bool KvCache::acquire(PageId& page) {
  if (free_.empty()) return false;
  page = free_.back();
  free_.pop_back();
  references_[static_cast<std::size_t>(page)] = 1;
  n_touched_ = std::max(n_touched_, static_cast<std::size_t>(page) + 1);
  return true;
}

void KvCache::share(PageId page) { ++references_[static_cast<std::size_t>(page)]; }

void KvCache::release(PageId page) {
  if (--references_[static_cast<std::size_t>(page)] == 0) free_.push_back(page);
}

void KvCache::copy(PageId from, PageId to) { std::memcpy(base(to), base(from), layout_.page_bytes); }

}  // namespace armature
