#include "engine/machine.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/affinity.h"
#include "engine/machine_files.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace armature {

namespace {

std::size_t to_size(std::uint64_t bytes) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(bytes, std::numeric_limits<std::size_t>::max()));
}

}  // namespace

std::vector<std::size_t> allowed_cpus() {
  std::vector<std::size_t> cpus = thread_affinity().cpus();
  if (!cpus.empty()) return cpus;
  cpus.resize(std::max(1u, std::thread::hardware_concurrency()));
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
