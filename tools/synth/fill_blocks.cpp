#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "kernels/scalar/half.h"
#include "tools/synth/weight_types.h"

namespace armature::tools::synth {
namespace {

using gguf::TensorType;
namespace scalar = kernels::scalar;

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

constexpr double kUniform =
    1.7320508075688772;  // sqrt(3): a uniform [-a, a] has the root mean square a / sqrt(3)

template <class T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

void fill_random(std::span<std::byte> bytes, Random& random) {
  while (!bytes.empty()) {
    const std::uint64_t word = random.next();
    const std::size_t n = std::min(bytes.size(), sizeof word);
    std::memcpy(bytes.data(), &word, n);
    bytes = bytes.subspan(n);
  }
}

}  // namespace

void put_number(std::byte* at, TensorType type, float value) {
  switch (type) {
    case TensorType::F32:
      return put(at, value);
    case TensorType::F16:
      return put(at, scalar::f16_from_f32(value));
    default:
      return put(at, scalar::bf16_from_f32(value));
  }
}

void fill_blocks(std::span<std::byte> blocks, TensorType type, double rms, Random& random) {
  const std::size_t size = gguf::type_info(type).block_bytes;
  assert(blocks.size() % size == 0);
  const BlockRule* rule = weight_type(type).rule;
  for (; !blocks.empty(); blocks = blocks.subspan(size)) {
    std::byte* block = blocks.data();
    if (rule == nullptr) {
      put_number(block, type, static_cast<float>(kUniform * rms * random.signed_unit()));
      continue;
    }
    fill_random(blocks.first(size), random);
    if (rule->adjust != nullptr) rule->adjust(reinterpret_cast<std::uint8_t*>(block));
    const double d = rms / rule->rms * (1 + random.signed_unit() / 4);
    put(block + rule->d_at, scalar::f16_from_f32(static_cast<float>(d)));
    if (rule->minimum != 0)
      put(block + rule->minimum_at, scalar::f16_from_f32(static_cast<float>(d * rule->minimum)));
  }
}

}  // namespace armature::tools::synth
