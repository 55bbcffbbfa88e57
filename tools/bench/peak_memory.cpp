#include "tools/bench/peak_memory.h"

#include <algorithm>
#include <fstream>

#include "engine/machine.h"

namespace armature::tools::bench {
namespace {

/// The system counts the peak from now on (proc(5), /proc/pid/clear_refs). False where it does not.
bool forget_peak() {
  std::ofstream out("/proc/self/clear_refs");
  out << 5 << std::flush;
  return out.good();
}

}  // namespace

void PeakMemory::pause() { bytes(); }

void PeakMemory::resume() { hidden_ = forget_peak() ? 0 : peak_rss(); }

std::size_t PeakMemory::bytes() {
  const std::size_t now = peak_rss();
  if (hidden_ > 0 && now <= hidden_) return 0;
  largest_ = std::max(largest_, now);
  return largest_;
}

}  // namespace armature::tools::bench
