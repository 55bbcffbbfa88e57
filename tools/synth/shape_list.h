#pragma once

#include <string>

#include "tools/synth/shapes.h"

namespace armature::tools::synth {

/// A table of the shapes: architecture, layers, weights, and bytes of the weights in the most usual types.
std::string shape_list();
/// The bytes of one shape in every type, a line each, with what is replaced.
std::string type_list(const Shape& shape);

}  // namespace armature::tools::synth
