#include "engine/affinity.h"

#ifdef __linux__
#include <sched.h>
#endif

namespace armature {

CpuMask::CpuMask(std::span<const std::size_t> cpus) {
  for (const std::size_t cpu : cpus)
    if (cpu < kMaxCpus) words_[cpu / kBits] |= 1ul << (cpu % kBits);
}

bool CpuMask::contains(std::size_t cpu) const {
  return cpu < kMaxCpus && (words_[cpu / kBits] >> (cpu % kBits) & 1) != 0;
}

CpuList CpuMask::cpus() const {
  CpuList cpus;
  for (std::size_t cpu = 0; cpu < kMaxCpus; ++cpu)
    if (contains(cpu)) cpus.push_back(cpu);
  return cpus;
}

#ifdef __linux__

CpuMask thread_affinity() noexcept {
  CpuMask mask;
  auto* set = reinterpret_cast<cpu_set_t*>(mask.words_.data());
  return ::sched_getaffinity(0, sizeof(mask.words_), set) == 0 ? mask : CpuMask();
}

bool bind_thread(const CpuMask& mask) noexcept {
  const auto* set = reinterpret_cast<const cpu_set_t*>(mask.words_.data());
  return ::sched_setaffinity(0, sizeof(mask.words_), set) == 0;
}

#else

CpuMask thread_affinity() noexcept { return {}; }
bool bind_thread(const CpuMask&) noexcept { return false; }

#endif

}  // namespace armature
