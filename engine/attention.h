#pragma once

#include <cstddef>

#include "engine/pass.h"

namespace armature {

/// branch = W_output attention(activations), for the normed and rounded rows in the scratch: q, k, v; RoPE;
/// keys and values into the cache; for each query the softmax over its sequence's keys up to its own
/// position, those in the layer's window; heads side by side through the output matrix.
void attention(const Pass& pass, Team::Worker& worker, std::size_t layer) noexcept;

}  // namespace armature
