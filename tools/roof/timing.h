#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

#include "engine/parallel.h"

namespace armature::tools::roof {

using std::chrono::nanoseconds;
/// Time from any fixed moment on; never goes back.
using Clock = std::function<nanoseconds()>;

/// How many threads a region of the team really has: OpenMP may be told to give fewer (OMP_THREAD_LIMIT).
std::size_t count_threads(Team& team);

/// Calls work(index) on n_threads threads, which begin when the last of them is there, and tells how long it
/// took until the last was done. Of a machine that is busy elsewhere such an interval tells more than that of
/// a whole region. n_threads is at most count_threads(). The clock is read by the calling thread only.
nanoseconds time_together(Team& team, std::size_t n_threads, const std::function<void(std::size_t)>& work,
                          const Clock& now);

/// How often something is timed.
struct PassLimits {
  std::size_t least = 3, most = 9;
  nanoseconds enough{0};  // no further pass, past `least`, when so much time has gone
};

struct Timing {
  nanoseconds best{0}, median{0};  // of the passes; the median of an even number: half way between
  std::size_t passes = 0;
};

/// Calls pass(), which tells how long it took, again and again. Nothing when stop() says so, which is asked
/// before each pass.
std::optional<Timing> time_passes(const std::function<nanoseconds()>& pass, const PassLimits& limits,
                                  const Clock& now, const std::function<bool()>& stop);

/// Units a second, where a pass has so many.
double rate(double units, nanoseconds time);

}  // namespace armature::tools::roof
