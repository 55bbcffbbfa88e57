#pragma once

#include <cstddef>

#include "engine/pass.h"

namespace armature {

/// branch = W_down (act(W_gate h) * (W_up h)), for the normed and rounded rows h in the scratch.
void ffn(const Pass& pass, Team::Worker& worker, std::size_t layer) noexcept;

}  // namespace armature
