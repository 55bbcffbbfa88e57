#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "gguf/types.h"
#include "tools/random.h"

namespace armature::tools::synth {

/// How random bytes become blocks of a type whose weights are finite and of a given size.
struct BlockRule {
  double rms;                  // of the weights at d = 1
  std::size_t d_at;            // offset of the half d in the block
  double minimum = 0;          // the half m or dmin in units of d, such that the weights' mean is about 0
  std::size_t minimum_at = 0;  // its offset, where there is one
  void (*adjust)(std::uint8_t* block) = nullptr;  // of the random bytes, before d and the minimum are put in
};

/// A weight type that synthetic models can have.
struct WeightType {
  gguf::TensorType type;
  std::uint32_t file_type;  // general.file_type of a file mostly of it
  gguf::TensorType
      substitute;           // for rows that are no whole blocks; the type itself where blocks have 32 or 1
  gguf::TensorType output;  // of the output matrix in the usual mixes
  const BlockRule* rule;    // null: plain numbers
};

std::span<const WeightType> weight_types();
const WeightType& weight_type(gguf::TensorType type);
/// By name, in any case. Throws UsageError, which lists the names and the nearest.
const WeightType& find_weight_type(std::string_view name);

/// One number of F32, F16 or BF16.
void put_number(std::byte* at, gguf::TensorType type, float value);
/// Fills whole blocks with random weights whose root of the mean square is about `rms`.
void fill_blocks(std::span<std::byte> blocks, gguf::TensorType type, double rms, Random& random);

}  // namespace armature::tools::synth
