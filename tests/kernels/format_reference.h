#pragma once

#include <cstddef>
#include <cstdint>

#include "gguf/types.h"

namespace armature::test {

/// One weight as its block stores it: scale * code + offset. Written from the format's text, weight by weight
/// and in double, to check the kernels against.
struct StoredWeight {
  double scale, code, offset;

  double value() const { return scale * code + offset; }  // exact: the parts have few bits
  /// The size of the numbers that a kernel adds when it sums codes and offsets apart.
  double magnitude() const;
};

/// Weight i of a row that begins at `row`.
StoredWeight stored_weight(gguf::TensorType type, const std::uint8_t* row, std::size_t i);

/// Where a block of this type has its f16 fields: the scale, and the minimum or -1 without one. Quantized
/// types only.
struct ScaleFields {
  int scale, minimum;
};
ScaleFields scale_fields(gguf::TensorType type);

}  // namespace armature::test
