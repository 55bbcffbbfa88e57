#pragma once

#include <cstddef>

namespace armature {

/// The bytes [begin, end) of some text; begin <= end.
struct ByteRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace armature
