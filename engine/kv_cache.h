#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/config.h"
#include "engine/lazy_memory.h"
#include "kernels/kernels.h"

namespace armature {

/// Positions that one page holds; also the width of an attention tile.
inline constexpr std::size_t kPageCells = kernels::kMaxTileKeys;

enum class PageId : std::uint32_t {};

/// Keys and values of all layers, in pages of kPageCells positions that sequences share by reference count.
/// Memory is reserved at construction and committed by the system as pages are first written. Not
/// thread-safe: one decoder owns it; inside a forward pass threads write disjoint cells.
class KvCache {
 public:
  struct Layout {
    std::size_t page_bytes = 0;
    std::vector<std::size_t> k_offset, v_offset;     // of each layer's block within a page
    std::size_t k_head_bytes = 0, v_head_bytes = 0;  // of one KV head in a block: kPageCells rows
    std::size_t k_row_bytes = 0, v_row_bytes = 0;    // of one position of one head
  };
  static Layout layout(const ModelConfig& config, gguf::TensorType type_k, gguf::TensorType type_v);

  /// n_cells is rounded up to whole pages. Throws Error out_of_memory.
  KvCache(const ModelConfig& config, std::size_t n_cells, gguf::TensorType type_k, gguf::TensorType type_v);

  std::size_t n_pages() const { return references_.size(); }
  std::size_t n_free() const { return free_.size(); }
  std::size_t page_bytes() const { return layout_.page_bytes; }
  /// Bytes of the pages that were ever in use.
  std::size_t committed_bytes() const { return n_touched_ * layout_.page_bytes; }

  /// A page with one reference, or nothing when all are in use.
  bool acquire(PageId& page);
  void share(PageId page);    // one reference more
  void release(PageId page);  // one less; the page is free at zero
  std::uint32_t references(PageId page) const { return references_[static_cast<std::size_t>(page)]; }
  void copy(PageId from, PageId to);

  /// The kPageCells rows of one KV head: row r (position within the page) is at r * row bytes.
  std::byte* k(PageId page, std::size_t layer, std::size_t head) const {
    return base(page) + layout_.k_offset[layer] + head * layout_.k_head_bytes;
  }
  std::byte* v(PageId page, std::size_t layer, std::size_t head) const {
    return base(page) + layout_.v_offset[layer] + head * layout_.v_head_bytes;
  }
  const Layout& layout() const { return layout_; }
  gguf::TensorType type_k() const { return type_k_; }
  gguf::TensorType type_v() const { return type_v_; }

 private:
  std::byte* base(PageId page) const {
    return memory_.data() + static_cast<std::size_t>(page) * layout_.page_bytes;
  }

  Layout layout_;
  gguf::TensorType type_k_, type_v_;
  LazyMemory memory_;
  std::vector<std::uint32_t> references_;
  std::vector<PageId> free_;
  std::size_t n_touched_ = 0;
};

}  // namespace armature
