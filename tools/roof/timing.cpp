#include "tools/roof/timing.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace armature::tools::roof {
namespace {

void wait_for(const std::atomic<std::size_t>& counter, std::size_t value) {
  // A thread that sleeps comes back late. One that has waited for some microseconds may be on the core that
  // another of them needs.
  constexpr int kLooks = 2000;
  for (int looks = 0; counter.load(std::memory_order_acquire) < value; ++looks)
    if (looks >= kLooks) std::this_thread::yield();
}

}  // namespace

std::size_t count_threads(Team& team) {
  std::atomic<std::size_t> n{0};
  team.run(team.size(), [&](Team::Worker&) { ++n; });
  return n;
}

nanoseconds time_together(Team& team, std::size_t n_threads, const std::function<void(std::size_t)>& work,
                          const Clock& now) {
  std::atomic<std::size_t> arrived{0}, begun{0}, done{0};
  nanoseconds start{0}, end{0};
  team.run(n_threads, [&](Team::Worker& worker) {
    const bool keeps_time = worker.index() == 0;
    ++arrived;
    if (keeps_time) {
      wait_for(arrived, n_threads);
      start =
          now();  // before anyone begins: if this thread is held up here, the interval is longer, not shorter
      begun = 1;
    } else {
      wait_for(begun, 1);
    }
    work(worker.index());
    ++done;
    if (keeps_time) {
      wait_for(done, n_threads);
      end = now();
    }
  });
  return std::max(end - start, nanoseconds(1));  // a coarse clock may stand still
}

std::optional<Timing> time_passes(const std::function<nanoseconds()>& pass, const PassLimits& limits,
                                  const Clock& now, const std::function<bool()>& stop) {
  const nanoseconds begin = now();
  std::vector<nanoseconds> times;
  while (times.size() < limits.least || (times.size() < limits.most && now() - begin < limits.enough)) {
    if (stop()) return std::nullopt;
    times.push_back(pass());
  }
  std::sort(times.begin(), times.end());
  const std::size_t n = times.size();
  return Timing{times.front(), (times[(n - 1) / 2] + times[n / 2]) / 2, n};
}

double rate(double units, nanoseconds time) { return units / std::chrono::duration<double>(time).count(); }

}  // namespace armature::tools::roof
