#include "tests/support/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {
thread_local std::size_t count = 0;
}

// The other forms (arrays, nothrow) call these; over-aligned types are not counted.
void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace armature::test {

std::size_t n_allocations() { return count; }

}  // namespace armature::test
