#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/kv_cache.h"
#include "engine/token.h"

namespace armature {

/// One sequence of tokens whose keys and values are in a cache. Made by Decoder::new_sequence or fork; its
/// pages go back when it is destroyed. Must not be used while a forward pass runs on it.
class Sequence {
 public:
  explicit Sequence(std::shared_ptr<KvCache> cache) : cache_(std::move(cache)) {}
  Sequence(Sequence&& other) noexcept = default;
  Sequence& operator=(Sequence&& other) noexcept;
  ~Sequence() { trim(0); }

  /// The tokens processed so far; the next position is their number.
  std::span<const TokenId> tokens() const { return tokens_; }
  std::size_t size() const { return tokens_.size(); }

  /// Forgets all tokens from position n on.
  void trim(std::size_t n);
  /// A sequence of the first n tokens that shares this one's pages; a page is copied only when one of the two
  /// writes to it.
  Sequence fork(std::size_t n) const;

  /// Pages that appending n tokens takes from the cache.
  std::size_t pages_needed(std::size_t n) const;
  /// Makes room for n more tokens. False, and nothing changed, when the cache has too few free pages.
  bool reserve(std::size_t n);
  /// Appends a token whose keys and values are about to be written; room was made by reserve().
  void append(TokenId token) { tokens_.push_back(token); }

  std::span<const PageId> pages() const { return pages_; }

 private:
  bool last_page_is_shared() const;

  std::shared_ptr<KvCache> cache_;
  std::vector<TokenId> tokens_;
  std::vector<PageId> pages_;  // page i holds positions i * kPageCells and on
};

}  // namespace armature
