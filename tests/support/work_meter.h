#pragma once

#include <cstdint>
#include <functional>

namespace armature::test {

/// How much the calling thread does: the instructions that it executes where the machine and the system count
/// them, else its processor time in nanoseconds.
class WorkMeter {
 public:
  WorkMeter();
  ~WorkMeter();
  WorkMeter(const WorkMeter&) = delete;
  WorkMeter& operator=(const WorkMeter&) = delete;

  bool counts_instructions() const { return counter_ >= 0; }
  std::uint64_t measure(const std::function<void()>& work) const;

 private:
  std::uint64_t now() const;
  int counter_;  // a descriptor, or -1
};

/// Fails the test unless `work(n)`, `work(2n)` and `work(4n)` take time in proportion; log n more is allowed.
/// Processor time is noisy: the least of several tries counts, and only growth far from linear fails.
void expect_linear(const WorkMeter& meter, const std::function<void(std::size_t n)>& work, std::size_t n,
                   const char* what);

}  // namespace armature::test
