#include "engine/sequence.h"

#include <algorithm>
#include <utility>

namespace armature {

namespace {
std::size_t pages_for(std::size_t n_tokens) { return (n_tokens + kPageCells - 1) / kPageCells; }
}  // namespace

Sequence& Sequence::operator=(Sequence&& other) noexcept {
  std::swap(cache_, other.cache_);
  std::swap(tokens_, other.tokens_);
  std::swap(pages_, other.pages_);
  return *this;
}

void Sequence::trim(std::size_t n) {
  if (n < tokens_.size()) tokens_.resize(n);
  while (pages_.size() > pages_for(tokens_.size())) {
    cache_->release(pages_.back());
    pages_.pop_back();
  }
}

Sequence Sequence::fork(std::size_t n) const {
  Sequence copy(cache_);
  n = std::min(n, tokens_.size());
  copy.tokens_.assign(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(n));
  copy.pages_.assign(pages_.begin(), pages_.begin() + static_cast<std::ptrdiff_t>(pages_for(n)));
  for (const PageId page : copy.pages_) cache_->share(page);
  return copy;
}

bool Sequence::last_page_is_shared() const {
  return tokens_.size() % kPageCells != 0 && cache_->references(pages_[tokens_.size() / kPageCells]) > 1;
}

std::size_t Sequence::pages_needed(std::size_t n) const {
  const std::size_t wanted = pages_for(tokens_.size() + n);
  const std::size_t missing = wanted > pages_.size() ? wanted - pages_.size() : 0;
  return missing + (n > 0 && last_page_is_shared() ? 1 : 0);
}

bool Sequence::reserve(std::size_t n) {
  if (pages_needed(n) > cache_->n_free()) return false;
  if (n > 0 && last_page_is_shared()) {
    PageId& last = pages_[tokens_.size() / kPageCells];
    PageId own;
    cache_->acquire(own);
    cache_->copy(last, own);
    cache_->release(last);
    last = own;
  }
  tokens_.reserve(tokens_.size() + n);
  while (pages_.size() < pages_for(tokens_.size() + n)) {
    PageId page;
    cache_->acquire(page);
    pages_.push_back(page);
  }
  return true;
}

}  // namespace armature
