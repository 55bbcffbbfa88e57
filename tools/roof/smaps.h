#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace armature::tools::roof {

/// Bytes of memory that are there, and those of them in huge pages.
struct Residence {
  std::uint64_t resident = 0, huge = 0;
};

/// What a text of the form of /proc/self/smaps says of the mappings that share an address with `bytes`, whole
/// mappings; nothing if there are none.
std::optional<Residence> residence(std::string_view smaps, std::span<const std::byte> bytes);
/// By /proc/self/smaps; nothing where the system does not say.
std::optional<Residence> residence(std::span<const std::byte> bytes);

}  // namespace armature::tools::roof
