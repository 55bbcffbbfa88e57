#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace armature::tools::bench {

/// The machine as it was when the program began. Nothing names its owner or its place in a network.
struct HostFacts {
  std::string cpu_info;                 // kinds of cores, by their names: "Neoverse-N2 r0p0"
  std::string cpus;                     // online, e.g. "0-63"
  std::string affinity;                 // those that the process may run on
  std::optional<double> quota;          // CPUs that the cgroup grants
  std::string features;                 // of the CPU: "avx2 avx512"
  std::string system;                   // kernel, release and architecture: "Linux 6.1.0 x86_64"
  std::optional<std::uint64_t> memory;  // bytes

  /// Equal for equal machines: a hash of all but affinity and quota, memory in whole GiB.
  std::string fingerprint() const;
};
HostFacts read_host();

}  // namespace armature::tools::bench
