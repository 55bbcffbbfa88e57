#pragma once

#include <cstddef>

namespace armature::test {

/// How often this thread has called operator new so far. The program's operators are replaced where this is
/// linked in.
std::size_t n_allocations();
/// How many bytes it was given by them, freed or not.
std::size_t allocated_bytes();

/// While it lives, the k-th operator new of this thread, from 1, fails once.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t k);
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();

  /// Whether that many were asked for.
  bool has_failed() const;
};

}  // namespace armature::test
