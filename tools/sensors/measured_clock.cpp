#include <algorithm>
#include <chrono>
#include <cstdint>

#include "tools/sensors/clocks.h"

namespace armature::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kUnrolled = 100;     // additions for each jump, which runs beside them
constexpr int kPerBatch = 100000;  // 20 to 100 microseconds
constexpr auto kTime = std::chrono::milliseconds(2);

/// kUnrolled additions in a row. The other number comes from a register: some processors work out additions
/// of constants before they run.
inline std::uint64_t add_in_a_row(std::uint64_t x, std::uint64_t step) {
#if defined(__x86_64__)
  asm volatile(".rept 100\n\tadd %1, %0\n\t.endr" : "+r"(x) : "r"(step) : "cc");
#elif defined(__aarch64__)
  asm volatile(".rept 100\n\tadd %0, %0, %1\n\t.endr" : "+r"(x) : "r"(step));
#else
  for (int i = 0; i < kUnrolled; ++i) {
    x += step;
    asm volatile("" : "+r"(x), "+r"(step));
  }
#endif
  return x;
}

std::chrono::duration<double, std::micro> time_batch(std::uint64_t& x) {
  const auto start = Clock::now();
  for (int i = 0; i < kPerBatch; i += kUnrolled) x = add_in_a_row(x, 3);
  return Clock::now() - start;
}

}  // namespace

double measure_clock_mhz() {
  std::uint64_t x = 1;
  const auto end = Clock::now() + kTime;
  // The fastest one: interrupts only take away.
  auto fastest = time_batch(x);
  while (Clock::now() < end) fastest = std::min(fastest, time_batch(x));
  return kPerBatch / fastest.count();
}

}  // namespace armature::tools
