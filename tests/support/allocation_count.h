#pragma once

#include <cstddef>

namespace armature::test {

/// How often this thread has called operator new so far. The program's operators are replaced where this is
/// linked in.
std::size_t n_allocations();

}  // namespace armature::test
