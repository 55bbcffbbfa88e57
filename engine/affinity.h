#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/thread_options.h"

namespace armature {

/// A set of CPUs as the system takes it. Fixed in size, so that a thread can change its own without
/// allocating.
class CpuMask {
 public:
  static constexpr std::size_t kMaxCpus = 8192;  // the most that Linux is built for

  CpuMask() = default;
  /// CPUs from kMaxCpus on are left out.
  explicit CpuMask(std::span<const std::size_t> cpus);

  bool empty() const { return *this == CpuMask(); }
  bool contains(std::size_t cpu) const;
  CpuList cpus() const;  // ascending
  bool operator==(const CpuMask&) const = default;

 private:
  friend CpuMask thread_affinity() noexcept;
  friend bool bind_thread(const CpuMask& mask) noexcept;

  static constexpr std::size_t kBits = 8 * sizeof(unsigned long);
  std::array<unsigned long, kMaxCpus / kBits> words_{};
};

/// The CPUs that the calling thread may run on; empty where the system does not say.
CpuMask thread_affinity() noexcept;
/// Lets the calling thread run on these alone. False if the system refuses: no CPU of the mask is there, or
/// it cannot bind threads.
bool bind_thread(const CpuMask& mask) noexcept;

}  // namespace armature
