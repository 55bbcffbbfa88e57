#pragma once

#include <cstddef>

namespace armature::tools::bench {

/// The largest resident set of the process, without what was in memory only to measure the machine.
class PeakMemory {
 public:
  /// Between the two calls memory does not count.
  void pause();
  void resume();
  /// Bytes; 0 where it is not known: the system does not say, or the memory that does not count was more.
  std::size_t bytes() const;

 private:
  std::size_t before_ = 0;  // the peak until the last pause
  std::size_t hidden_ = 0;  // the peak with what does not count, where the system would not forget it
};

}  // namespace armature::tools::bench
