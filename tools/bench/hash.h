#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gguf/model_files.h"

namespace armature::tools::bench {

/// FNV-1a with 64 bits (Fowler, Noll and Vo): to tell records apart, not to withstand anyone.
class Fnv1a {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  void add(std::uint64_t number);  // its 8 bytes, the lowest first
  std::string text() const;        // 16 hexadecimal digits

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// What model_hash() reads, as records name it.
inline constexpr std::string_view kModelHashMethod =
    "fnv1a64 of size, head and the first 64 bytes of each tensor";
/// Tells models apart without reading them whole: of each file its size, all before its tensors' data (keys
/// and tensor table), and the first 64 bytes of each tensor.
std::string model_hash(const gguf::ModelFiles& files);

}  // namespace armature::tools::bench
