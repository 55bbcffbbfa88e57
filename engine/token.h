#pragma once

#include <cstdint>

namespace armature {

/// A place in the vocabulary: 0 to n_vocab - 1.
enum class TokenId : std::int32_t {};

}  // namespace armature
