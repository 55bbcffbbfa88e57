#pragma once

#include <cstddef>

namespace armature::test {

/// How often this thread has called operator new so far. The program's operators are replaced where this is
/// linked in.
std::size_t n_allocations();
/// How many bytes it was given by them, freed or not.
std::size_t allocated_bytes();

}  // namespace armature::test
