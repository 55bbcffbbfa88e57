#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/args.h"

/// What a weight type must say about itself so that product.h can do the rest:
///   kWeights, kBytes   weights and bytes of a block;
///   kWeights == 1:     static float value(const std::uint8_t* bytes);
///   else:              Block, kSub, and static void unpack(const Block&, Unpacked&).
namespace armature::kernels::scalar {

/// A block taken apart: weight i is scale[i / kSub] * code[i] + offset[i / kSub], rounded once.
template <std::size_t kWeights, std::size_t kSub>
struct UnpackedBlock {
  std::int8_t code[kWeights];
  float scale[kWeights / kSub];
  float offset[kWeights / kSub] = {};
};

/// Base of the quantized types. kSub is 16 or 32, the length of a run of weights with a scale of their own.
template <class BlockType, std::size_t kBlockWeights, std::size_t kSubWeights>
struct Quantized {
  using Block = BlockType;
  static constexpr std::size_t kWeights = kBlockWeights, kBytes = sizeof(Block), kSub = kSubWeights;
  using Unpacked = UnpackedBlock<kWeights, kSub>;
};

template <class Type>
typename Type::Unpacked unpack_block(const std::uint8_t* bytes) {
  typename Type::Unpacked unpacked;
  Type::unpack(*reinterpret_cast<const typename Type::Block*>(bytes), unpacked);
  return unpacked;
}

template <class Type>
void dequantize(const DequantizeArgs& a) {
  if constexpr (Type::kWeights == 1) {
    for (std::size_t i = 0; i < a.k; ++i) a.out[i] = Type::value(a.blocks + i * Type::kBytes);
  } else {
    for (std::size_t block = 0; block < a.k / Type::kWeights; ++block) {
      const auto unpacked = unpack_block<Type>(a.blocks + block * Type::kBytes);
      float* out = a.out + block * Type::kWeights;
      for (std::size_t i = 0; i < Type::kWeights; ++i) {
        const std::size_t sub = i / Type::kSub;
        out[i] = unpacked.scale[sub] * static_cast<float>(unpacked.code[i]) + unpacked.offset[sub];
      }
    }
  }
}

}  // namespace armature::kernels::scalar
