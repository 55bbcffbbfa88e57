#pragma once

#include <cstdint>
#include <string_view>

namespace armature::tools::bench {

/// The short name of the commit that the program was built from, and how many led to it; "unknown" and 0
/// where it was not built from a repository.
std::string_view build_commit();
std::int64_t build_number();

}  // namespace armature::tools::bench
