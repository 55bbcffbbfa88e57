#pragma once

#include <cstddef>

namespace armature {

/// Zeroed memory that the system commits page by page as it is first touched, so that a generous reservation
/// costs nothing until it is used. Aligned to a memory page. Movable.
class LazyMemory {
 public:
  LazyMemory() = default;
  /// Throws Error out_of_memory with the size asked for; `what` names its use in the message.
  LazyMemory(std::size_t size, const char* what);
  LazyMemory(LazyMemory&& other) noexcept;
  LazyMemory& operator=(LazyMemory&& other) noexcept;
  ~LazyMemory();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace armature
