#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace armature {

/// Finds entries of an array by their contents: a hash table (open addressing) that holds only indices, so
/// the contents stay where they are. The caller supplies hashes and comparisons.
class IndexTable {
 public:
  /// Room for `capacity` entries, fewer than 2^32 - 1.
  explicit IndexTable(std::size_t capacity) : slots_(std::bit_ceil(capacity + capacity / 2 + 1), kEmpty) {}

  /// The first inserted index with this hash for which same(index) holds.
  template <class Same>
  std::optional<std::uint32_t> find(std::uint64_t hash, Same same) const {
    const std::uint32_t index = slots_[slot_of(hash, same)];
    return index != kEmpty ? std::optional(index) : std::nullopt;
  }
  /// Adds `index` unless an index with the same contents is there already; true if it was added.
  template <class Same>
  bool insert(std::uint64_t hash, std::uint32_t index, Same same) {
    std::uint32_t& slot = slots_[slot_of(hash, same)];
    if (slot != kEmpty) return false;
    slot = index;
    return true;
  }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX;
  template <class Same>
  std::size_t slot_of(std::uint64_t hash, Same same) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot] != kEmpty && !same(slots_[slot])) slot = (slot + 1) & mask;
    return slot;
  }

  std::vector<std::uint32_t> slots_;
};

/// All 64 bits depend on all of `value` (the finalizer of MurmurHash3).
constexpr std::uint64_t mix_bits(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0xFF51AFD7ED558CCDu;
  value = (value ^ (value >> 33)) * 0xC4CEB9FE1A85EC53u;
  return value ^ (value >> 33);
}

/// FNV-1a, mixed.
constexpr std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return mix_bits(hash);
}

}  // namespace armature
