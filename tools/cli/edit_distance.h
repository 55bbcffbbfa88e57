#pragma once

#include <cstddef>
#include <string_view>

namespace armature::tools {

/// Letters more, less, replaced or swapped with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace armature::tools
