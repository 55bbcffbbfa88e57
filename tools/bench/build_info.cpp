#include "tools/bench/build_info.h"

#include "build_commit.h"  // made by the build; see tools/build_commit.cmake

namespace armature::tools::bench {

std::string_view build_commit() { return ARMATURE_BUILD_COMMIT; }
std::int64_t build_number() { return ARMATURE_BUILD_NUMBER; }

}  // namespace armature::tools::bench
