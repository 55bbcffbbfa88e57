#include "engine/lazy_memory.h"

#include <sys/mman.h>

#include <utility>

#include "gguf/compose.h"
#include "gguf/error.h"

namespace armature {

LazyMemory::LazyMemory(std::size_t size, const char* what) : size_(size) {
  if (size == 0) return;
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    throw Error(ErrorCode::out_of_memory,
                compose("{}: no room for {} bytes; a smaller context or micro-batch needs less", what, size));
  }
  data_ = static_cast<std::byte*>(p);
}

LazyMemory::LazyMemory(LazyMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

LazyMemory& LazyMemory::operator=(LazyMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

LazyMemory::~LazyMemory() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace armature
