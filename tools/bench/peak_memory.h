#pragma once

#include <cstddef>

namespace armature::tools::bench {

/// The largest resident set of the process, without what was in memory only to measure the machine.
class PeakMemory {
 public:
  /// Between the two calls memory does not count.
  void pause();
  void resume();
  /// Bytes, never less than before; 0 where it is not known: the system does not say, or the memory that does
  /// not count was more.
  std::size_t bytes();

 private:
  std::size_t largest_ = 0;  // that was known so far; what the system says may fall by some pages
  std::size_t hidden_ = 0;   // the peak with what does not count, where the system would not forget it
};

}  // namespace armature::tools::bench
