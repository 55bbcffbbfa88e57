#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "engine/thread_places.h"

namespace armature {

/// A team of OpenMP threads that runs one parallel region per forward pass. Inside the region all threads
/// execute the same program, a series of phases; a phase is a number of chunks, which threads claim one by
/// one.
///
/// A phase ends when its chunks are done, not when all threads have arrived: a thread that lost its core
/// holds nobody up but for the one chunk it may have claimed. When it comes back it finds the later phases
/// over and skips them. So code between phases must be cheap and must not write anything shared.
class Team {
 public:
  /// Threads that cannot be made are done without (libgomp would end the process): size() says how many there
  /// are. `modes` are the ways in which regions run; with none there is one, without places. Throws Error
  /// bad_argument for places that threads cannot be bound to.
  explicit Team(std::size_t n_threads, const std::vector<ThreadOptions>& modes = {});
  /// In the thread that made the team: other users of OpenMP find its threads unbound.
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  std::size_t size() const { return n_threads_; }

  class Worker;
  /// Calls body on each of the first min(n_threads, size()) threads, and returns when all have left it. The
  /// calling thread is one of them; if the mode binds it, it is back where it was when this returns.
  /// `stop`, if it is not empty, is asked before each chunk, by any of the threads; once it returns true the
  /// chunks that are left are not run, and the result is false.
  template <class Body>
  bool run(std::size_t n_threads, const Body& body, const std::function<bool()>& stop = {},
           std::size_t mode = 0);

 private:
  struct Mode {
    ThreadPlaces places;
    std::size_t n_cpus = 1;
    int spins = 0;  // looks at the phase before a waiting thread sleeps
  };
  void add_mode(const ThreadOptions& options);
  using Entry = void (*)(const void* body, Worker& worker);
  void run_region(std::size_t n_threads, const Mode& mode, Entry entry, const void* body);
  bool is_stopped() noexcept;

  std::size_t n_threads_;
  std::thread::id maker_;
  std::vector<Mode> modes_;
  int spin_limit_ = 0;  // of the region
  // The phase (upper half) and its next unclaimed chunk (lower half), in one word: a claim by a thread that
  // is phases behind fails.
  alignas(64) std::atomic<std::uint64_t> state_{0};
  alignas(64) std::atomic<std::uint32_t> done_{0};   // chunks of the phase that are finished
  alignas(64) std::atomic<std::uint32_t> phase_{0};  // what waiting threads look at
  const std::function<bool()>* stop_ = nullptr;      // of the region, or null
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint32_t> borders_{0};  // crossings of a region's begin and end, for their order in memory
};

class Team::Worker {
 public:
  std::size_t index() const { return index_; }  // 0 to n_threads() - 1: for scratch memory of one's own
  std::size_t n_threads() const { return n_threads_; }

  /// One phase: chunk(i) for each i in [0, n), each by one of the threads. Returns when all are done; what
  /// they wrote is visible then. Every thread must make the same calls with the same n.
  template <class Chunk>
  void for_each(std::size_t n, const Chunk& chunk) {
    if (n == 0) return;
    std::uint32_t i;
    while (claim(static_cast<std::uint32_t>(n), i)) {
      if (!team_.is_stopped()) chunk(i);
      finish(static_cast<std::uint32_t>(n));
    }
    wait();
  }

 private:
  friend class Team;
  Worker(Team& team, std::size_t index, std::size_t n_threads, std::uint32_t phase)
      : team_(team), index_(index), n_threads_(n_threads), phase_(phase) {}
  bool claim(std::uint32_t n, std::uint32_t& chunk) noexcept;
  void finish(std::uint32_t n) noexcept;
  void wait() noexcept;

  Team& team_;
  std::size_t index_, n_threads_;
  std::uint32_t phase_;  // the phase this thread is in
};

template <class Body>
bool Team::run(std::size_t n_threads, const Body& body, const std::function<bool()>& stop, std::size_t mode) {
  stop_ = stop ? &stop : nullptr;
  stopped_ = false;
  run_region(
      n_threads, modes_[mode], [](const void* b, Worker& worker) { (*static_cast<const Body*>(b))(worker); },
      &body);
  return !stopped_;
}

}  // namespace armature
