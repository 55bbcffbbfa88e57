#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace armature::test {

/// Pages of memory whose last byte lies before a page that cannot be touched. Filled with kPoison.
class GuardedPages {
 public:
  static constexpr std::uint8_t kPoison = 0xa5;

  explicit GuardedPages(std::size_t bytes);
  GuardedPages(GuardedPages&& other) noexcept : begin_(other.begin_), size_(other.size_) {
    other.begin_ = nullptr;
  }
  GuardedPages& operator=(GuardedPages&&) = delete;
  ~GuardedPages();

  std::uint8_t* begin() const { return begin_; }
  std::uint8_t* end() const { return begin_ + size_; }  // the first byte that faults

 private:
  std::uint8_t* begin_;
  std::size_t size_;
};

/// An array that ends `slack` bytes before the guard page: with slack 0 reading or writing one element too
/// many ends the test. Its alignment is what that gives. Elements start as kPoison bytes.
template <class T>
class Guarded {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Guarded(std::size_t size, std::size_t slack = 0)
      : pages_(size * sizeof(T) + slack), size_(size), slack_(slack) {}

  T* data() const { return reinterpret_cast<T*>(pages_.end() - slack_ - size_ * sizeof(T)); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data()[i]; }

  /// Whether nothing around the array has been written.
  bool surroundings_intact() const {
    const auto* first = reinterpret_cast<const std::uint8_t*>(data());
    for (const std::uint8_t* p = pages_.begin(); p < first; ++p)
      if (*p != GuardedPages::kPoison) return false;
    for (const std::uint8_t* p = pages_.end() - slack_; p < pages_.end(); ++p)
      if (*p != GuardedPages::kPoison) return false;
    return true;
  }
  /// Whether element i still holds what it started with.
  bool untouched(std::size_t i) const {
    std::uint8_t poison[sizeof(T)];
    std::memset(poison, GuardedPages::kPoison, sizeof poison);
    return std::memcmp(data() + i, poison, sizeof(T)) == 0;
  }

 private:
  GuardedPages pages_;
  std::size_t size_, slack_;
};

}  // namespace armature::test
