#include "tests/support/allocation_count.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t count = 0;
thread_local std::size_t bytes = 0;
thread_local std::size_t until_failure = 0;  // allocations up to the one that fails; 0: none does

void* allocate(std::size_t size) noexcept {
  ++count;
  bytes += size;
  if (until_failure > 0 && --until_failure == 0) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate_or_throw(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Every form, as a sanitizer's own would not match these; but the over-aligned ones, which are a family of
// their own and are not counted.
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

namespace armature::test {

std::size_t n_allocations() { return count; }
std::size_t allocated_bytes() { return bytes; }

FailingAllocation::FailingAllocation(std::size_t k) { until_failure = k; }
FailingAllocation::~FailingAllocation() { until_failure = 0; }
bool FailingAllocation::has_failed() const { return until_failure == 0; }

}  // namespace armature::test
