#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace armature::gguf {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian and are used where they lie in the map");

/// The number at `at`, which may be unaligned.
template <class T>
T load(const std::byte* at) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

/// Bytes seen as text; no encoding is implied.
inline std::string_view as_text(const std::byte* at, std::size_t size) {
  return {reinterpret_cast<const char*>(at), size};
}

}  // namespace armature::gguf
