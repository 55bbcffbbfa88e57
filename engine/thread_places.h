#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/affinity.h"

namespace armature {

/// The places of a ThreadOptions, ready for threads to go to.
class ThreadPlaces {
 public:
  ThreadPlaces() = default;  // anywhere
  /// Throws Error bad_argument for a place with a CPU that a thread of this process cannot be bound to.
  explicit ThreadPlaces(const std::vector<CpuList>& places);

  bool anywhere() const { return masks_.empty(); }
  std::size_t n_cpus() const;  // in all of them; 0 for anywhere
  const CpuMask& of(std::size_t thread) const { return masks_[thread % masks_.size()]; }

  /// Binds the calling thread, which lives in a pool that others use too: with places that are anywhere it
  /// goes back to where it was before the first. Cheap when it is there already.
  void settle(std::size_t thread) const noexcept;

 private:
  std::uint64_t id_ = 0;  // never twice in a process; 0: anywhere
  std::vector<CpuMask> masks_;
};

/// Binds the calling thread to the first of the places, and back when it ends. Null: to none.
class Visit {
 public:
  explicit Visit(const ThreadPlaces* places) noexcept;
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  bool moved_ = false;
  CpuMask before_;
};

}  // namespace armature
