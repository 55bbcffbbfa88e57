#include "engine/parallel.h"

#include <omp.h>

#include <algorithm>

#include "engine/machine.h"
#include "engine/thread_probe.h"

namespace armature {

namespace {

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");  // longer than yield, which is a no-op on most cores
#endif
}

constexpr std::uint64_t state_of(std::uint32_t phase, std::uint32_t chunk) {
  return static_cast<std::uint64_t>(phase) << 32 | chunk;
}

}  // namespace

Team::Team(std::size_t n_threads, const std::vector<ThreadOptions>& modes)
    : n_threads_(1 + probe_threads(std::max<std::size_t>(n_threads, 1) - 1)),
      maker_(std::this_thread::get_id()) {
  for (const ThreadOptions& options : modes) add_mode(options);
  if (modes_.empty()) add_mode({});
  // OpenMP's library makes its threads now, while what was probed still holds. That of LLVM also lets a
  // thread that it sees for the first time run anywhere.
  const CpuMask before = thread_affinity();
  run(n_threads_, [](Worker&) {});
  if (thread_affinity() != before) bind_thread(before);
}

void Team::add_mode(const ThreadOptions& options) {
  // 12 microseconds at a poll of 50 (Zen 5, 600 loads with a pause each): a lost core is away for
  // milliseconds.
  constexpr int kSpinsPerPoll = 12;
  ThreadPlaces places(options.places);
  const std::size_t n_cpus = places.anywhere() ? n_allowed_cpus() : places.n_cpus();
  const int spins = kSpinsPerPoll * static_cast<int>(std::min<std::size_t>(options.poll, 100));
  modes_.push_back({std::move(places), n_cpus, spins});
}

Team::~Team() {
  const bool bound =
      std::any_of(modes_.begin(), modes_.end(), [](const Mode& mode) { return !mode.places.anywhere(); });
  // The threads stay, for the next user of OpenMP in this thread. Another thread has a pool of its own.
  if (!bound || std::this_thread::get_id() != maker_) return;
  run_region(
      n_threads_, Mode(), [](const void*, Worker&) {}, nullptr);
}

void Team::run_region(std::size_t n_threads, const Mode& mode, Entry entry, const void* body) {
  n_threads = std::min(n_threads, n_threads_);
  // With more threads than CPUs the one that is waited for may need this very core.
  spin_limit_ = n_threads <= mode.n_cpus ? mode.spins : 0;
  // A region starts where the last one ended, with the phase's chunks all unclaimed. Read here, not in the
  // threads: one that starts late must begin at the first phase too.
  const std::uint32_t first_phase = phase_.load(std::memory_order_acquire);
  // OpenMP orders what is before, in and after a region. It is said again in atomics, which cost nothing
  // here, because ThreadSanitizer does not see into libgomp.
  borders_.fetch_add(1, std::memory_order_release);
#pragma omp parallel num_threads(static_cast <int>(n_threads))
  {
    borders_.load(std::memory_order_acquire);
    const auto index = static_cast<std::size_t>(omp_get_thread_num());
    // Bound inside the region: libgomp's new threads take over where their maker may run.
    const Visit visit(index == 0 ? &mode.places : nullptr);
    if (index > 0) mode.places.settle(index);
    Worker worker(*this, index, n_threads, first_phase);
    entry(body, worker);
    borders_.fetch_add(1, std::memory_order_release);
  }
  borders_.load(std::memory_order_acquire);
}

bool Team::is_stopped() noexcept {
  if (stop_ != nullptr && !stopped_.load(std::memory_order_relaxed) && (*stop_)()) stopped_ = true;
  return stopped_.load(std::memory_order_relaxed);
}

bool Team::Worker::claim(std::uint32_t n, std::uint32_t& chunk) noexcept {
  std::uint64_t state = team_.state_.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(state >> 32) == phase_ && static_cast<std::uint32_t>(state) < n) {
    if (team_.state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) {
      chunk = static_cast<std::uint32_t>(state);
      return true;
    }
  }
  return false;
}

void Team::Worker::finish(std::uint32_t n) noexcept {
  if (team_.done_.fetch_add(1, std::memory_order_acq_rel) + 1 < n) return;
  team_.done_.store(0, std::memory_order_relaxed);
  team_.state_.store(state_of(phase_ + 1, 0), std::memory_order_release);
  team_.phase_.store(phase_ + 1, std::memory_order_release);
  team_.phase_.notify_all();
}

void Team::Worker::wait() noexcept {
  for (int spins = 0; team_.phase_.load(std::memory_order_acquire) == phase_; ++spins) {
    if (spins < team_.spin_limit_) {
      pause();
    } else {
      team_.phase_.wait(phase_, std::memory_order_acquire);
    }
  }
  ++phase_;
}

}  // namespace armature
