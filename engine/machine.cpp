#include "engine/machine.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/machine_files.h"

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>

#include <memory>
#endif

namespace armature {

namespace {

std::size_t to_size(std::uint64_t bytes) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(bytes, std::numeric_limits<std::size_t>::max()));
}

#ifdef __linux__
struct FreeCpuSet {
  void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};

/// The affinity mask, or nothing when the kernel's own masks are wider than n_bits.
std::vector<std::size_t> affinity_mask(std::size_t n_bits) {
  const std::unique_ptr<cpu_set_t, FreeCpuSet> set(CPU_ALLOC(n_bits));
  const std::size_t size = CPU_ALLOC_SIZE(n_bits);
  std::vector<std::size_t> cpus;
  if (!set || sched_getaffinity(0, size, set.get()) != 0) return cpus;
  for (std::size_t cpu = 0; cpu < n_bits; ++cpu)
    if (CPU_ISSET_S(cpu, size, set.get())) cpus.push_back(cpu);
  return cpus;
}
#endif

}  // namespace

std::vector<std::size_t> allowed_cpus() {
#ifdef __linux__
  for (std::size_t n_bits = CPU_SETSIZE; n_bits <= (1u << 20); n_bits *= 2) {
    std::vector<std::size_t> cpus = affinity_mask(n_bits);
    if (!cpus.empty()) return cpus;
  }
#endif
  std::vector<std::size_t> cpus(std::max(1u, std::thread::hardware_concurrency()));
  std::iota(cpus.begin(), cpus.end(), std::size_t{0});
  return cpus;
}

ThreadChoice choose_threads() { return machine::choose_threads("/", allowed_cpus()); }

std::size_t n_allowed_cpus() { return allowed_cpus().size(); }

MemoryLimits memory_limits() {
  MemoryLimits limits;
#ifdef __linux__
  const auto read = [](auto resource) -> std::optional<std::uint64_t> {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
  };
  limits = {read(RLIMIT_AS), read(RLIMIT_DATA), read(RLIMIT_MEMLOCK)};
#endif
  return limits;
}

std::size_t available_memory() { return to_size(machine::available_memory("/", memory_limits())); }

std::size_t peak_rss() { return to_size(machine::peak_rss("/")); }

}  // namespace armature
