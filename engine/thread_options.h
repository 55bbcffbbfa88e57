#pragma once

#include <cstddef>
#include <vector>

namespace armature {

using CpuList = std::vector<std::size_t>;  // numbers of CPUs

/// Where the threads of a team run and how they wait.
struct ThreadOptions {
  /// Thread i runs on the CPUs of places[i % places.size()] alone; with none, wherever the system puts it.
  std::vector<CpuList> places;
  /// 0 to 100: how long a thread that waits for the others looks for work before it sleeps.
  std::size_t poll = 50;
};

}  // namespace armature
