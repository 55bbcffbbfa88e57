#include "tests/support/work_meter.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <thread>

namespace armature::test {

namespace {

int open_counter() {
  perf_event_attr attributes = {};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

/// From now on the allocator gives nothing back to the system: fresh pages would cost more than the work on
/// them, and only from some size up.
void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 64 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

}  // namespace

WorkMeter::WorkMeter() : counter_(open_counter()) {}

WorkMeter::~WorkMeter() {
  if (counter_ >= 0) ::close(counter_);
}

std::uint64_t WorkMeter::now() const {
  if (counter_ >= 0) {
    std::uint64_t count = 0;
    if (::read(counter_, &count, sizeof(count)) == sizeof(count)) return count;
  }
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t WorkMeter::measure(const std::function<void()>& work) const {
  const std::uint64_t start = now();
  work();
  return now() - start;
}

void expect_linear(const WorkMeter& meter, const std::function<void(std::size_t n)>& work, std::size_t n,
                   const char* what) {
  // Twice the work for twice the size, and a tenth for log n. Four times the size: 4.4, where 16 would be
  // quadratic.
  constexpr double kInstructions = 2.2, kTime = 8;
  constexpr int kTries = 40;
  std::array<std::uint64_t, 3> least = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
  bool linear = false;
  keep_freed_memory();
  work(n << (least.size() - 1));
  for (int i = 0; i < kTries && !linear; ++i) {
    if (i > 3) std::this_thread::sleep_for(std::chrono::milliseconds(5 * i));  // let a busy neighbour pass
    for (std::size_t k = 0; k < least.size(); ++k)
      least[k] = std::min(least[k], meter.measure([&] { work(n << k); }));
    const auto ratio = [&](std::size_t a, std::size_t b) {
      return static_cast<double>(least[b]) / static_cast<double>(std::max<std::uint64_t>(least[a], 1));
    };
    if (i == 0) continue;  // once may be chance
    linear = meter.counts_instructions() ? ratio(0, 1) < kInstructions && ratio(1, 2) < kInstructions
                                         : ratio(0, 2) < kTime;
  }
  EXPECT_TRUE(linear) << what << ": " << least[0] << ", " << least[1] << ", " << least[2]
                      << (meter.counts_instructions() ? " instructions" : " ns") << " for " << n << ", "
                      << 2 * n << ", " << 4 * n;
}

}  // namespace armature::test
