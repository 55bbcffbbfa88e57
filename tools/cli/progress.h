#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace armature::tools {

/// A line on standard error that tells how far a long step is, from its second second on; erased when this
/// ends. Where standard error is no terminal that can draw it again, nothing is ever written, and no thread
/// made. Nobody else may write to the terminal meanwhile.
class Progress {
 public:
  /// "WHAT: 3 s", or "WHAT: 512 of 4096 UNIT" where `total` is not 0.
  explicit Progress(std::string what, std::size_t total = 0, std::string unit = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// How much is done. By any thread.
  void set(std::size_t done) { done_ = done; }

 private:
  void run();
  std::string line(std::size_t seconds) const;

  const std::string what_, unit_;
  const std::size_t total_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;  // under mutex_
  std::thread thread_;
};

}  // namespace armature::tools
