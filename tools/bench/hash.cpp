#include "tools/bench/hash.h"

#include <algorithm>
#include <array>

namespace armature::tools::bench {

void Fnv1a::add(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const std::byte byte : bytes) {
    state_ ^= static_cast<std::uint64_t>(byte);
    state_ *= kPrime;
  }
}

void Fnv1a::add(std::uint64_t number) {
  std::array<std::byte, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(number >> 8 * i & 0xff);
  add(bytes);
}

std::string Fnv1a::text() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[state_ >> shift & 0xf];
  return out;
}

std::string model_hash(const gguf::ModelFiles& files) {
  constexpr std::uint64_t kSample = 64;
  Fnv1a hash;
  for (const gguf::File& file : files.files()) {
    hash.add(file.size);
    if (file.tensors.empty()) continue;
    const gguf::TensorInfo& first = file.tensors.front();
    hash.add({first.data - first.offset, static_cast<std::size_t>(file.data_start)});
    for (const gguf::TensorInfo& tensor : file.tensors)
      hash.add({tensor.data, static_cast<std::size_t>(std::min(tensor.size, kSample))});
  }
  return hash.text();
}

}  // namespace armature::tools::bench
